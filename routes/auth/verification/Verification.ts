// Proof of an e-mail address by a mailed link, for the page and for the API.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option, type Redacted } from "effect"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Users } from "../../../src/auth/Users.ts"
import { AfterResponse } from "../../../src/http/AfterResponse.ts"
import * as Throttle from "../../session/Throttle.ts"
import * as AccountMail from "../internal/AccountMail.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import { requireUser } from "../Access.ts"
import { home, signIn } from "../internal/AuthPaths.ts"
import * as Flash from "../../session/Flash.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as Reply from "../../session/Reply.ts"

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
    const may = AccountMail.withinLimit(AuthRateLimits.rules.resendPerAccount, identity.email)
    yield* afterResponse.run(Effect.asVoid(Effect.whenEffect(AccountMail.post("verification", identity), may)))
    return true
  })
)

const check = (token: Redacted.Redacted) => Effect.flatMap(Tokens, (tokens) => tokens.check(token, "verification"))

// Proves access to the mailbox, and signs nobody in: the link may be opened by someone else, or by a link scanner.
const open = Effect.gen(function* () {
  const { method } = yield* RequestState
  const token = yield* AccountMail.presentedToken
  const session = yield* SessionCookie.current
  const to = Option.isSome(yield* session.identity) ? home : signIn
  if (method === "HEAD") return yield* Reply.redirect(to, { status: (yield* check(token)) ? 200 : 410, value: {} })
  const { verify: texts } = yield* PageTexts.texts
  return (yield* redeem(token))
    ? yield* Reply.redirectWithFlash(to, Flash.good(texts.done))
    : yield* Reply.gone(to, texts.expired)
})

const submitResend = Effect.gen(function* () {
  const isSent = yield* resend
  const { verify: texts } = yield* PageTexts.texts
  return yield* Reply.redirectWithFlash(home, Flash.good(isSent ? texts.sent : texts.already))
})

/** `GET /verify/:selector/:verifier` of the e-mail, `POST /verify` to send it again; both limited. */
export const routes = [
  HttpLayerRouter.route("GET", "/verify/:selector/:verifier", limited(open)),
  HttpLayerRouter.route("POST", "/verify", requireUser(submitResend))
]
