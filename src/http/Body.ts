// Why a body was not read.
import { Schema } from "effect"

/** The most that a request may carry: enough for any form, too little to fill the memory with. */
export const limit = 1024 * 1024

/** The body is longer than the program takes. */
export class TooLarge extends Schema.TaggedError<TooLarge>("effect-framework/http/TooLarge")("TooLarge", {
  limit: Schema.Number
}) {
  override get message() {
    return `The body is longer than ${this.limit} bytes.`
  }
}

/** The body is not what its content type says. */
export class Malformed extends Schema.TaggedError<Malformed>("effect-framework/http/Malformed")("Malformed", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/** A form may come as a form or as JSON, as nothing else. */
export class Unsupported extends Schema.TaggedError<Unsupported>("effect-framework/http/Unsupported")("Unsupported", {
  contentType: Schema.String
}) {
  override get message() {
    return "Send application/x-www-form-urlencoded or application/json."
  }
}
