// Why the body of a request is refused.
import { Schema } from "effect"
import * as ErrorResponse from "./internal/ErrorResponse.ts"
import { english, HttpTexts } from "./HttpTexts.ts"

export type { ErrorResponse } from "./internal/ErrorResponse.ts"

/** The body is longer than the program accepts: 413. */
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

/** The body ends early or does not match its content type: 400. The reason is the name of its text. */
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

/** A form has more parts than the route accepts: 413. */
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

/** Every reason for which a body is refused. */
export type BodyError = BodyTooLarge | MalformedBody | TooManyParts | UnsupportedMediaType
