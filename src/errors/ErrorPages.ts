// The project's own error pages: one for each status it has something to say about.
import { Context, Effect, Layer, type Option, Schema } from "effect"

/** What a page may say. All of it is text and is escaped where it is printed. */
export interface PageData {
  readonly status: number
  /** The standard text of the status. */
  readonly text: string
  /** What the framework says about this answer; the standard text when it has nothing to add. */
  readonly message: string
}

/** A rendered page, and the policy that it must be sent with. */
export interface Page {
  readonly markup: string
  /** The Content-Security-Policy that lets its inline styles and scripts in. */
  readonly policy: string
}

/** A page may use files of this site and its own inline styles and scripts, named by hashes such as `'sha256-…'`. */
export const policy = (styles: ReadonlyArray<string> = [], scripts: ReadonlyArray<string> = []): string =>
  `default-src 'none'; style-src ${["'self'", ...styles].join(" ")}; script-src ${["'self'", ...scripts].join(" ")}; ` +
  "img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** A page that exists and cannot be rendered. */
export class ErrorPageError extends Schema.TaggedError<ErrorPageError>("effect-framework/errors/ErrorPageError")(
  "ErrorPageError",
  {
    status: Schema.Number,
    reason: Schema.String
  }
) {
  override get message() {
    return `The page of status ${this.status} cannot be rendered: ${this.reason}`
  }
}

/** Finds the project's page for a status; a page that fails leaves the built-in one. */
export class ErrorPages extends Context.Tag("effect-framework/errors/ErrorPages")<
  ErrorPages,
  {
    /** The page of a status; nothing when the project has none. */
    readonly page: (facts: PageData) => Effect.Effect<Option.Option<Page>, ErrorPageError>
  }
>() {}

/** A project without pages of its own. */
export const layerNone: Layer.Layer<ErrorPages> = Layer.succeed(ErrorPages, { page: () => Effect.succeedNone })
