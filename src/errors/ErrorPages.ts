// The project's own error pages, one for each status.
import { Context, Effect, Layer, type Option, Schema } from "effect"

/** The data of a page: plain text, escaped where it is inserted. */
export interface PageData {
  readonly status: number
  /** The standard text of the status. */
  readonly text: string
  /** The message of this response; by default the standard text. */
  readonly message: string
  /** The language of the request, as in `<html lang>`; by default the first of the program. */
  readonly language?: string
  /** The id of the request, as in `X-Request-Id` and in the log. */
  readonly id?: string
}

/** A rendered page and its Content-Security-Policy. */
export interface Page {
  readonly markup: string
  /** The Content-Security-Policy that allows its inline styles and scripts. */
  readonly policy: string
}

/** A page exists but cannot be rendered. */
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

/**
 * Renders the project's page for a status; the built-in page is used when it fails.
 *
 * @example
 * ```ts
 * import { FileSystem } from "@effect/platform"
 * import { Effect, Layer, Option } from "effect"
 * import { ErrorPages } from "effect-framework/errors"
 *
 * const policy = "default-src 'none'; style-src 'self'"
 *
 * // One page for what is not found; every other status has the built-in one.
 * export const pages = Layer.effect(
 *   ErrorPages.ErrorPages,
 *   Effect.map(FileSystem.FileSystem, (files) => ({
 *     page: ({ status }: ErrorPages.PageData) =>
 *       status !== 404
 *         ? Effect.succeedNone
 *         : Effect.mapBoth(files.readFileString("views/lost.html"), {
 *             onSuccess: (markup) => Option.some({ markup, policy }),
 *             onFailure: ({ message }) => new ErrorPages.ErrorPageError({ status, reason: message })
 *           })
 *   }))
 * )
 * ```
 */
export class ErrorPages extends Context.Tag("effect-framework/errors/ErrorPages")<
  ErrorPages,
  {
    /** The page of a status; `None` when the project has none. */
    readonly page: (data: PageData) => Effect.Effect<Option.Option<Page>, ErrorPageError>
  }
>() {}

/** A project without pages of its own. */
export const layerNone: Layer.Layer<ErrorPages> = Layer.succeed(ErrorPages, { page: () => Effect.succeedNone })
