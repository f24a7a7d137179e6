// Verifies an e-mail address by the mailed link, and sends that e-mail again.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option, type Redacted } from "effect"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import { requireUser } from "../Access.ts"
import { home, signIn } from "../internal/AuthPaths.ts"
import * as Flash from "../../session/Flash.ts"
import * as LinkToken from "../internal/LinkToken.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as Reply from "../../session/Reply.ts"
import * as Verification from "./Verification.ts"

const check = (token: Redacted.Redacted) => Effect.flatMap(Tokens, (tokens) => tokens.check(token, "verification"))

// Proves access to the mailbox, and signs nobody in: the link may be opened by someone else, or by a link scanner.
const open = Effect.gen(function* () {
  const { method } = yield* RequestState
  const token = yield* LinkToken.presented
  const session = yield* SessionCookie.current
  const to = Option.isSome(yield* session.identity) ? home : signIn
  if (method === "HEAD") return yield* Reply.redirect(to, { status: (yield* check(token)) ? 200 : 410, value: {} })
  const { verify: texts } = yield* PageTexts.texts
  return (yield* Verification.redeem(token))
    ? yield* Reply.redirectWithFlash(to, Flash.good(texts.done))
    : yield* Reply.gone(to, texts.expired)
})

const resend = Effect.gen(function* () {
  const isSent = yield* Verification.resend
  const { verify: texts } = yield* PageTexts.texts
  return yield* Reply.redirectWithFlash(home, Flash.good(isSent ? texts.sent : texts.already))
})

/** `GET /verify/:selector/:verifier` of the e-mail, `POST /verify` to send it again; both limited. */
export const routes = [
  HttpLayerRouter.route("GET", "/verify/:selector/:verifier", Verification.limited(open)),
  HttpLayerRouter.route("POST", "/verify", requireUser(resend))
]
