// Why a program with a wrong setting of a provider does not start. A file of its own, so that a program's type check does
// not read the types of `openid-client`.
import { Schema } from "effect"
import * as StartupLine from "../../../../src/config/internal/StartupLine.ts"

/** A provider's settings are wrong. */
export class InvalidProvider extends Schema.TaggedError<InvalidProvider>("effect-framework/auth/InvalidProvider")(
  "InvalidProvider",
  { provider: Schema.String, reason: Schema.String }
) {
  get [StartupLine.symbol](): string {
    return "a-provider"
  }
  override get message(): string {
    return `The provider ${this.provider} ${this.reason}`
  }
}
