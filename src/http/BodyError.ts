// Why the body of a request is refused.
import { Schema } from "effect"
import * as ErrorResponse from "./internal/ErrorResponse.ts"
import { english, HttpTexts } from "./HttpTexts.ts"

export type { ErrorResponse } from "./internal/ErrorResponse.ts"

/**
 * The body is longer than the program accepts: 413.
 *
 * @example
 * ```ts
 * import { HttpApi, HttpApiClient, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
 * import { Console, Effect, Schema } from "effect"
 * import { BodyError } from "effect-framework/http"
 *
 * const note = HttpApiEndpoint.post("note", "/notes").setPayload(Schema.Struct({ text: Schema.String }))
 *
 * // Declared, it is a failure of the derived client.
 * const Notes = HttpApi.make("notes").add(HttpApiGroup.make("notes").add(note)).addError(BodyError.BodyTooLarge)
 *
 * export const send = (text: string) =>
 *   Effect.flatMap(HttpApiClient.make(Notes), ({ notes }) => notes.note({ payload: { text } })).pipe(
 *     Effect.catchTag("BodyTooLarge", ({ limit }) => Console.error(`A note has at most ${limit} bytes.`))
 *   )
 * ```
 */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>("effect-framework/http/BodyTooLarge")(
  "BodyTooLarge",
  { limit: Schema.Number },
  ErrorResponse.declared(413, "The body is longer than the program accepts.")
) {
  override get message() {
    return `The body is longer than ${this.limit} bytes.`
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(413)
  }
}

/**
 * The body ends early or does not match its content type: 400. The reason is the name of its text.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter } from "@effect/platform"
 * import { Effect, Schema } from "effect"
 * import type { BodyError } from "effect-framework/http"
 * import { FormState, Respond } from "effect-framework/routes/session"
 *
 * const Payment = Schema.Struct({ order: Schema.NonEmptyString })
 *
 * // A webhook of `Pipeline.stateless`: its sender repeats what failed, and what is no form would fail each time.
 * const paid = Effect.flatMap(FormState.read(Payment), ({ order }) => Effect.log(`${order} is paid`)).pipe(
 *   Effect.catchTags({
 *     MalformedBody: ({ reason }: BodyError.MalformedBody) => Effect.logWarning(`a payment was dropped: ${reason}`),
 *     UnsupportedMediaType: ({ contentType }: BodyError.UnsupportedMediaType) =>
 *       Effect.logWarning(`a payment was dropped: ${contentType}`)
 *   }),
 *   Effect.as(Respond.text("Thank you"))
 * )
 *
 * export const route = HttpLayerRouter.route("POST", "/payments", paid)
 * ```
 */
export class MalformedBody extends Schema.TaggedError<MalformedBody>("effect-framework/http/MalformedBody")(
  "MalformedBody",
  {
    reason: Schema.Literal(
      "notUtf8",
      "notJson",
      "endedEarly",
      "unknownFile",
      "noBoundary",
      "malformedParts",
      "fieldTooLong"
    )
  },
  ErrorResponse.declared(400, "The body ends early or does not match its content type.")
) {
  override get message() {
    return english.body[this.reason]
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(400, {
      message: this.message,
      translate: ({ texts }) => texts(HttpTexts).body[this.reason]
    })
  }
}

/**
 * A form has more parts than the route accepts: 413.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import type { BodyError } from "effect-framework/http"
 * import { Upload } from "effect-framework/routes/session"
 *
 * const album = Upload.make({ files: { pictures: { maxSize: "5 MiB", maxCount: 20 } }, maxParts: 24 })
 *
 * // No browser sends that many parts for this form.
 * export const read = Upload.read(album).pipe(
 *   Effect.tapErrorTag("TooManyParts", ({ limit }: BodyError.TooManyParts) =>
 *     Effect.logWarning(`An upload has more than ${limit} parts`)
 *   )
 * )
 * ```
 */
export class TooManyParts extends Schema.TaggedError<TooManyParts>("effect-framework/http/TooManyParts")(
  "TooManyParts",
  { limit: Schema.Number },
  ErrorResponse.declared(413, "A form has more parts than the route accepts.")
) {
  override get message() {
    return english.refusal.tooManyParts(this.limit)
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(413, {
      message: this.message,
      translate: ({ texts }) => texts(HttpTexts).refusal.tooManyParts(this.limit)
    })
  }
}

/** A form is neither urlencoded nor JSON: 415. */
export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>(
  "effect-framework/http/UnsupportedMediaType"
)(
  "UnsupportedMediaType",
  { contentType: Schema.String },
  ErrorResponse.declared(415, "The body is of another media type.")
) {
  override get message() {
    return english.refusal.mediaType
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(415, {
      message: this.message,
      translate: ({ texts }) => texts(HttpTexts).refusal.mediaType
    })
  }
}

/**
 * Every reason for which a body is refused.
 *
 * @example
 * ```ts
 * import { Effect, Match, Schema } from "effect"
 * import type { BodyError } from "effect-framework/http"
 * import { FormState } from "effect-framework/routes/session"
 *
 * const advice = (error: BodyError.BodyError): string =>
 *   Match.valueTags(error, {
 *     BodyTooLarge: ({ limit }) => `send at most ${limit} bytes`,
 *     MalformedBody: ({ message }) => message,
 *     TooManyParts: ({ limit }) => `send at most ${limit} parts`,
 *     UnsupportedMediaType: ({ contentType }) => `send JSON in place of ${contentType}`
 *   })
 *
 * // For the log of a route that programs of partners call.
 * export const order = FormState.read(Schema.Struct({ tea: Schema.NonEmptyString })).pipe(
 *   Effect.tapError((error) => Effect.logInfo(error._tag === "InvalidForm" ? error.message : advice(error)))
 * )
 * ```
 */
export type BodyError = BodyTooLarge | MalformedBody | TooManyParts | UnsupportedMediaType
