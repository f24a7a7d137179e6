// The signed-in user may not do this.
import { Schema } from "effect"
import * as ErrorResponse from "../http/internal/ErrorResponse.ts"

/** The signed-in user may not do this: 403, with the reason when there is one. */
export class Forbidden extends Schema.TaggedError<Forbidden>("effect-framework/auth/Forbidden")("Forbidden", {
  /** Shown to the client in place of the status text. */
  reason: Schema.optional(Schema.String)
}) {
  override get message() {
    return this.reason ?? "The signed-in user may not do this."
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(403, this.reason === undefined ? {} : { message: this.reason })
  }
}
