// The request needs a session that was confirmed recently.
import { Schema } from "effect"
import * as ErrorResponse from "../http/internal/ErrorResponse.ts"
import { AuthTexts, english } from "./AuthTexts.ts"

/** The signed-in user has to confirm who they are before this: 403 for JSON clients, a redirect to `confirm` for browsers. */
export class ConfirmationRequired extends Schema.TaggedError<ConfirmationRequired>(
  "effect-framework/auth/ConfirmationRequired"
)("ConfirmationRequired", {
  error: Schema.optionalWith(Schema.String, { default: () => english.confirm.required }),
  /** The path of the page, which also accepts JSON. */
  confirm: Schema.optionalWith(Schema.String, { default: () => "/confirm" })
}) {
  override get message() {
    return this.error
  }
  get [ErrorResponse.symbol]() {
    const { error: message } = this
    return ErrorResponse.of(403, { message, translate: ({ texts }) => texts(AuthTexts).confirm.required })
  }
}
