// Proof of an e-mail address by a mailed link, for the page and for the API.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option, type Redacted } from "effect"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Users } from "../../../src/auth/Users.ts"
import { AfterResponse } from "../../../src/http/AfterResponse.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as AccountMail from "../internal/AccountMail.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import { requireUser } from "../Access.ts"
import { Authentication, RememberGuard, SessionGuard, toSignIn } from "../Authentication.ts"
import { home, signIn } from "../internal/AuthPaths.ts"
import * as Flash from "../../session/Flash.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as Refusal from "../../session/internal/Refusal.ts"
import * as Respond from "../../session/Respond.ts"

/** The limit of links that one client opens. */
export const limited = RateLimit.middleware(AuthRateLimits.rules.verify)

const limitedResend = RateLimit.middleware(AuthRateLimits.rules.resend)

/** Verifies the address of the signed-in account by the token of its link; `false` for any other, which stays as it is. */
export const redeem = (token: Redacted.Redacted) =>
  Effect.gen(function* () {
    const { id } = yield* CurrentIdentity
    const tokens = yield* Tokens
    const users = yield* Users
    if (!Option.exists(yield* tokens.owner(token, "verification"), ({ user }) => user === id)) return false
    if (Option.isNone(yield* tokens.redeem(token, "verification")) || !(yield* users.confirm(id))) return false
    yield* SecurityLog.record(id, { _tag: "EmailVerified" })
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

// Scanners and strangers open links: only a session of the account proves its address.
const open = Effect.gen(function* () {
  const { method } = yield* RequestState
  const token = yield* AccountMail.presentedToken
  if (method === "HEAD") return yield* Respond.redirect(home, { status: (yield* check(token)) ? 200 : 410, value: {} })
  const { verify: texts } = yield* PageTexts.texts
  return (yield* redeem(token))
    ? yield* Respond.redirectWithFlash(home, Flash.success(texts.done))
    : yield* Refusal.gone(home, texts.expired)
})

// A guest signs in first, and comes back to the link.
const signedIn = Authentication(
  [SessionGuard, RememberGuard],
  toSignIn(signIn, ({ toVerify }) => toVerify)
)

const submitResend = Effect.gen(function* () {
  const isSent = yield* resend
  const { verify: texts } = yield* PageTexts.texts
  return yield* Respond.redirectWithFlash(home, Flash.success(isSent ? texts.sent : texts.already))
})

/** `GET /verify/:selector/:verifier` of the e-mail, in a session of its account, `POST /verify` to send it again; both limited. */
export const routes = [
  HttpLayerRouter.route("GET", "/verify/:selector/:verifier", signedIn(limited(open))),
  HttpLayerRouter.route("POST", "/verify", requireUser(submitResend))
]
