// The texts of HTTP: the layout, forms, statuses and refusals. A program replaces some, a language all of them.
import { Context } from "effect"
import type { Catalogue } from "./Languages.ts"
import * as Status from "./internal/text/Status.ts"

const texts = {
  layout: {
    skip: "Skip to content",
    /** The name of the main navigation, for screen readers. */
    navigation: "Main",
    signIn: "Sign in",
    signUp: "Sign up",
    signOut: "Sign out",
    account: "Account",
    /** The link of an error page. */
    home: "Back to the first page",
    /** The title of a page with an error: a screen reader reads it first. */
    errorTitle: (title: string) => `Error: ${title}`,
    /** Below an error, for those who ask about it. */
    requestId: (id: string) => `Request ${id}`
  },
  /** The button beside a password, and its name for screen readers. */
  reveal: {
    show: "Show",
    hide: "Hide",
    showLabel: (field: string) => `Show ${field.toLowerCase()}`,
    hideLabel: (field: string) => `Hide ${field.toLowerCase()}`
  },
  form: {
    invalid: "Some fields need your attention.",
    repeatedField: "Send this field once.",
    invalidField: "This is not valid.",
    missingFile: "Choose a file.",
    emptyFile: "The file is empty.",
    fileTooLarge: (size: string) => `The file is larger than ${size}.`,
    wrongFileType: (types: string) => `The file is not one of: ${types}.`,
    tooManyFiles: (limit: number) => (limit === 1 ? "Send one file." : `Send at most ${limit} files.`)
  },
  statuses: Status.texts,
  refusal: {
    csrf: "Invalid CSRF token",
    /** `wait` is a duration in words. */
    tooManyRequests: (wait: string) => `Too many requests. Try again in ${wait}.`,
    tooManyParts: (limit: number) => `The form has more than ${limit} parts.`,
    mediaType: "Send application/x-www-form-urlencoded or application/json.",
    invalidBody: "The body of the request is not valid.",
    invalidAddress: "The path or query of the request is not valid.",
    /** `reason` is in English and for developers. */
    invalidCursor: (reason: string) =>
      `The cursor is not valid: ${reason}. Take it from the previous response, or leave it empty to start.`,
    invalidList: (reason: string) => reason,
    /** A query parameter of a list; `expected` is in English, unless it is a list of names or a number. */
    invalidParameter: (name: string, _problem: "sort" | "value" | "long" | "repeated", expected: string) =>
      `The parameter "${name}" must be ${expected}.`,
    listFormats: (types: string) => `This list is available as ${types}.`
  },
  /** Why a body cannot be read. */
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

/** Every text of the layout, of forms and of error responses. */
export interface Texts extends Catalogue<typeof texts> {}

/** The default texts. */
export const english: Texts = texts

/** The texts of HTTP; English unless the program or the language of the request replaces them. */
export class HttpTexts extends Context.Reference<HttpTexts>()("effect-framework/http/HttpTexts", {
  defaultValue: () => english
}) {}
