// The texts of HTTP: the layout, forms, statuses and refusals. A program replaces some, a language all of them.
import { Context } from "effect"
import * as Status from "./internal/text/Status.ts"

/** The texts by status code. */
type Statuses = { readonly [Code in keyof typeof Status.texts]: string }

/** Every text of the layout, of forms and of error responses. */
export interface Texts {
  readonly layout: {
    readonly skip: string
    /** The name of the main navigation, for screen readers. */
    readonly navigation: string
    readonly signIn: string
    readonly signUp: string
    readonly signOut: string
    readonly account: string
    /** The link of an error page. */
    readonly home: string
    /** The title of a page with an error: a screen reader reads it first. */
    readonly errorTitle: (title: string) => string
    /** Below an error, for those who ask about it. */
    readonly requestId: (id: string) => string
  }
  /** The button beside a password, and its name for screen readers. */
  readonly reveal: {
    readonly show: string
    readonly hide: string
    readonly showLabel: (field: string) => string
    readonly hideLabel: (field: string) => string
  }
  readonly form: {
    readonly invalid: string
    readonly repeatedField: string
    readonly invalidField: string
    readonly missingFile: string
    readonly emptyFile: string
    readonly fileTooLarge: (size: string) => string
    readonly wrongFileType: (types: string) => string
    readonly tooManyFiles: (limit: number) => string
  }
  readonly statuses: Statuses
  readonly refusal: {
    readonly csrf: string
    /** `wait` is a duration in words. */
    readonly tooManyRequests: (wait: string) => string
    readonly tooManyParts: (limit: number) => string
    readonly mediaType: string
    readonly invalidBody: string
    readonly invalidAddress: string
    /** `reason` is in English and for developers. */
    readonly invalidCursor: (reason: string) => string
    readonly invalidList: (reason: string) => string
    /** A query parameter of a list; `expected` is in English, unless it is a list of names or a number. */
    readonly invalidParameter: (
      name: string,
      problem: "sort" | "value" | "long" | "repeated",
      expected: string
    ) => string
    readonly listFormats: (types: string) => string
  }
  /** Why a body cannot be read. */
  readonly body: {
    readonly notUtf8: string
    readonly notJson: string
    readonly endedEarly: string
    readonly unknownFile: string
    readonly noBoundary: string
    readonly malformedParts: string
    readonly fieldTooLong: string
  }
}

/** The default texts. */
export const english: Texts = {
  layout: {
    skip: "Skip to content",
    navigation: "Main",
    signIn: "Sign in",
    signUp: "Sign up",
    signOut: "Sign out",
    account: "Account",
    home: "Back to the first page",
    errorTitle: (title) => `Error: ${title}`,
    requestId: (id) => `Request ${id}`
  },
  reveal: {
    show: "Show",
    hide: "Hide",
    showLabel: (field) => `Show ${field.toLowerCase()}`,
    hideLabel: (field) => `Hide ${field.toLowerCase()}`
  },
  form: {
    invalid: "Some fields need your attention.",
    repeatedField: "Send this field once.",
    invalidField: "This is not valid.",
    missingFile: "Choose a file.",
    emptyFile: "The file is empty.",
    fileTooLarge: (size) => `The file is larger than ${size}.`,
    wrongFileType: (types) => `The file is not one of: ${types}.`,
    tooManyFiles: (limit) => (limit === 1 ? "Send one file." : `Send at most ${limit} files.`)
  },
  statuses: Status.texts,
  refusal: {
    csrf: "Invalid CSRF token",
    tooManyRequests: (wait) => `Too many requests. Try again in ${wait}.`,
    tooManyParts: (limit) => `The form has more than ${limit} parts.`,
    mediaType: "Send application/x-www-form-urlencoded or application/json.",
    invalidBody: "The body of the request is not valid.",
    invalidAddress: "The path or query of the request is not valid.",
    invalidCursor: (reason) =>
      `The cursor is not valid: ${reason}. Take it from the previous response, or leave it empty to start.`,
    invalidList: (reason) => reason,
    invalidParameter: (name, _problem, expected) => `The parameter "${name}" must be ${expected}.`,
    listFormats: (types) => `This list is available as ${types}.`
  },
  body: {
    notUtf8: "The body is not UTF-8.",
    notJson: "The body is not a JSON object.",
    endedEarly: "The body ended too early.",
    unknownFile: "The form has no file field of this name.",
    noBoundary: "The content type has no valid boundary.",
    malformedParts: "The parts of the body are malformed.",
    fieldTooLong: "A field is too long."
  }
}

/** The texts of HTTP; English unless the program or the language of the request replaces them. */
export class HttpTexts extends Context.Reference<HttpTexts>()("effect-framework/http/HttpTexts", {
  defaultValue: () => english
}) {}
