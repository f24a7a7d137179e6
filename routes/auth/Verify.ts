// Verifies an e-mail address by the mailed link, and sends that e-mail again.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option, type Redacted } from "effect"
import { CurrentIdentity } from "../../src/auth/Identity.ts"
import * as AuthRateLimits from "../../src/auth/AuthRateLimits.ts"
import { Tokens } from "../../src/auth/Tokens.ts"
import { Users } from "../../src/auth/Users.ts"
import { AfterResponse } from "../../src/http/AfterResponse.ts"
import { Exchange } from "../../src/http/Exchange.ts"
import * as SessionCookie from "../http/SessionCookie.ts"
import * as Throttle from "../http/Throttle.ts"
import { requireUser } from "./Access.ts"
import { home, signIn } from "./AuthPaths.ts"
import * as Flash from "./Flash.ts"
import * as LinkToken from "./LinkToken.ts"
import * as MailedLink from "./MailedLink.ts"
import * as PageTexts from "./PageTexts.ts"
import * as Reply from "./Reply.ts"

const limited = Throttle.limited(AuthRateLimits.rules.verify)
const limitedResend = Throttle.limited(AuthRateLimits.rules.resend)

const confirm = (token: Redacted.Redacted) =>
  Effect.gen(function* () {
    const tokens = yield* Tokens
    const users = yield* Users
    const user = yield* tokens.redeem(token, "verification")
    return Option.isSome(user) && (yield* users.confirm(user.value))
  }).pipe(
    // A token that is redeemed without the confirmation would be lost.
    Effect.uninterruptible
  )

const check = (token: Redacted.Redacted) => Effect.flatMap(Tokens, (tokens) => tokens.check(token, "verification"))

// Proves access to the mailbox, and signs nobody in: the link may be opened by someone else, or by a link scanner.
const open = Effect.gen(function* () {
  const { method } = yield* Exchange
  const token = yield* LinkToken.presented
  const session = yield* SessionCookie.current
  const to = Option.isSome(yield* session.identity) ? home : signIn
  if (method === "HEAD") return yield* Reply.redirect(to, { status: (yield* check(token)) ? 200 : 410, value: {} })
  const { verify: texts } = yield* PageTexts.texts
  return (yield* confirm(token))
    ? yield* Reply.redirectWithFlash(to, Flash.good(texts.done))
    : yield* Reply.gone(to, texts.expired)
})

const resend = Effect.gen(function* () {
  const identity = yield* CurrentIdentity
  const { verify: texts } = yield* PageTexts.texts
  if (identity.verified) return yield* Reply.redirectWithFlash(home, Flash.good(texts.already))
  const afterResponse = yield* AfterResponse
  const may = MailedLink.withinLimit(AuthRateLimits.rules.resendPerAccount, identity.email)
  yield* afterResponse.run(Effect.asVoid(Effect.whenEffect(MailedLink.post("verification", identity), may)))
  return yield* Reply.redirectWithFlash(home, Flash.good(texts.sent))
})

/** `GET /verify/:selector/:verifier` of the e-mail, `POST /verify` to send it again; both limited. */
export const routes = [
  HttpLayerRouter.route("GET", "/verify/:selector/:verifier", limited(open)),
  HttpLayerRouter.route("POST", "/verify", requireUser(limitedResend(resend)))
]
