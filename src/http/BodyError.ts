// Why the body of a request is refused.
import { Schema } from "effect"
import { english } from "./HttpTexts.ts"

/** The body is longer than the program accepts: 413. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>("effect-framework/http/BodyTooLarge")(
  "BodyTooLarge",
  { limit: Schema.Number }
) {
  override get message() {
    return `The body is longer than ${this.limit} bytes.`
  }
}

/** The body ends early or does not match its content type: 400. */
export class MalformedBody extends Schema.TaggedError<MalformedBody>("effect-framework/http/MalformedBody")(
  "MalformedBody",
  { reason: Schema.String }
) {
  override get message() {
    return this.reason
  }
}

/** A form has more parts than the route accepts: 413. */
export class TooManyParts extends Schema.TaggedError<TooManyParts>("effect-framework/http/TooManyParts")(
  "TooManyParts",
  { limit: Schema.Number }
) {
  override get message() {
    return english.refusal.tooManyParts(this.limit)
  }
}

/** A form is neither urlencoded nor JSON: 415. */
export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>(
  "effect-framework/http/UnsupportedMediaType"
)("UnsupportedMediaType", { contentType: Schema.String }) {
  override get message() {
    return english.refusal.mediaType
  }
}

/** Every reason for which a body is refused. */
export type BodyError = BodyTooLarge | MalformedBody | TooManyParts | UnsupportedMediaType
