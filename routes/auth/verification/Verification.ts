// Proof of an e-mail address by a mailed link, for the page and for the API.
import { Effect, Option, type Redacted } from "effect"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Users } from "../../../src/auth/Users.ts"
import { AfterResponse } from "../../../src/http/AfterResponse.ts"
import * as Throttle from "../../session/Throttle.ts"
import * as MailedLink from "../internal/MailedLink.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"

/** The limit of links that one client opens. */
export const limited = Throttle.limited(AuthRateLimits.rules.verify)

const limitedResend = Throttle.limited(AuthRateLimits.rules.resend)

/** Verifies the address by the token of a link; `false` when it is invalid or expired. */
export const redeem = (token: Redacted.Redacted) =>
  Effect.gen(function* () {
    const tokens = yield* Tokens
    const users = yield* Users
    const user = yield* tokens.redeem(token, "verification")
    if (Option.isNone(user) || !(yield* users.confirm(user.value))) return false
    yield* SecurityLog.record(user.value, { _tag: "EmailVerified" })
    return true
  }).pipe(
    // A token that is redeemed without the confirmation would be lost.
    Effect.uninterruptible
  )

/** Sends the link to the signed-in account again, limited by client and by account; `false` when it is verified already. */
export const resend = limitedResend(
  Effect.gen(function* () {
    const identity = yield* CurrentIdentity
    if (identity.verified) return false
    const afterResponse = yield* AfterResponse
    const may = MailedLink.withinLimit(AuthRateLimits.rules.resendPerAccount, identity.email)
    yield* afterResponse.run(Effect.asVoid(Effect.whenEffect(MailedLink.post("verification", identity), may)))
    return true
  })
)
