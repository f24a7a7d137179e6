// The request needs a signed-in user.
import { Schema } from "effect"
import * as ErrorResponse from "../http/internal/ErrorResponse.ts"
import { english } from "./AuthTexts.ts"
import { defaultRealm, challenge } from "../http/internal/Challenge.ts"

/** The request needs a signed-in user: 401 for JSON clients, a redirect to the sign-in page for browsers. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>("effect-framework/auth/Unauthenticated")(
  "Unauthenticated",
  {
    realm: Schema.optionalWith(Schema.String, { default: () => defaultRealm })
  }
) {
  override get message() {
    return english.login.required
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(401, { headers: { "www-authenticate": challenge(this.realm) } })
  }
}
