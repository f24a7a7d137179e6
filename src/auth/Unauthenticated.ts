// Nobody is signed in.
import { Schema } from "effect"
import * as ErrorResponse from "../errors/ErrorResponse.ts"
import { defaultRealm, challenge } from "./Challenge.ts"

/** Nobody is signed in; answered with 401 to a program, with the sign-in page to a person. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>("effect-framework/auth/Unauthenticated")(
  "Unauthenticated",
  {
    realm: Schema.optionalWith(Schema.String, { default: () => defaultRealm })
  }
) {
  override get message() {
    return "Sign in to continue."
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(401, { headers: { "www-authenticate": challenge(this.realm) } })
  }
}
