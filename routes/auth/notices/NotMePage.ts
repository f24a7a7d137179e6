// "This was not me": the link in a message after a change or a sign-in. The page asks first, so that a scanner that opens the
// link does nothing.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option, Redacted } from "effect"
import { AccountChanges } from "../../../src/auth/AccountChanges.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { FactorRecoveries } from "../../../src/auth/FactorRecoveries.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { Sessions } from "../../../src/session/Session.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Trust } from "../../../src/auth/Trust.ts"
import { Users } from "../../../src/auth/Users.ts"
import { AfterResponse } from "../../../src/http/AfterResponse.ts"
import { html } from "../../../src/http/Html.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as Throttle from "../../session/Throttle.ts"
import { forgot, notMe as path, signIn } from "../internal/AuthPaths.ts"
import * as Flash from "../../session/Flash.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as AccountMail from "../internal/AccountMail.ts"
import * as Page from "../../session/Page.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as RememberCookie from "../internal/RememberCookie.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"

const limited = Throttle.limited(AuthRateLimits.rules.notMe)

const view = (link: Redacted.Redacted) =>
  Effect.map(PageTexts.load, ({ texts, token }) => ({
    title: texts.notMe.title,
    main: html`<h1>${texts.notMe.title}</h1>
      <p>${texts.notMe.lead}</p>
      <div class="card">
        ${FormView.form({
          action: `/not-me/${Redacted.value(link).replace(".", "/")}`,
          token,
          button: texts.notMe.button,
          fields: []
        })}
      </div>
      <p class="faint">${texts.notMe.hint}</p>`
  }))

const expired = PageTexts.withTexts(({ notMe }) => Flash.redirect(forgot, Flash.bad(notMe.expired)))

const open = Effect.gen(function* () {
  const tokens = yield* Tokens
  const link = yield* AccountMail.presentedToken
  return (yield* tokens.check(link, "not_me")) ? yield* Page.render(yield* view(link)) : yield* expired
})

// Whoever knows the password is locked out too, until it is reset: else they would sign in again at once. Nothing is hashed:
// a flood of sign-ins, which may be why the link is used, must not delay it.
const lock = Effect.fnUntraced(function* (user: AccountId) {
  yield* Effect.flatMap(Users, (users) => users.lock(user))
  // Whoever was inside may have added one. Before the sessions end: a sign-in with one of them at this moment ends with them.
  yield* Effect.flatMap(Passkeys, (passkeys) => passkeys.removeAll(user))
  yield* Effect.flatMap(Tokens, (tokens) => tokens.revoke(user))
  yield* Effect.flatMap(AccountChanges, (changes) => changes.cancelEmail(user))
  yield* Effect.flatMap(FactorRecoveries, (recoveries) => recoveries.cancel(user))
  yield* Effect.flatMap(Trust, (devices) => devices.revoke(user))
  yield* Effect.flatMap(Sessions, (sessions) => sessions.revoke(user))
  yield* Effect.flatMap(ApiTokens, (programs) => programs.revokeAll(user))
})

// The session of this browser ended with the others.
const leave = Effect.fnUntraced(function* (user: AccountId) {
  const session = yield* SessionCookie.current
  if (Option.getOrUndefined(yield* session.identity)?.id !== user) return
  yield* session.flush
  yield* session.regenerate
  yield* RememberCookie.clear
})

const report = (link: Redacted.Redacted) =>
  Effect.gen(function* () {
    const tokens = yield* Tokens
    const users = yield* Users
    const user = yield* tokens.redeem(link, "not_me")
    if (Option.isNone(user)) return false
    yield* leave(user.value)
    yield* lock(user.value)
    yield* SecurityLog.record(user.value, { _tag: "ReportedNotMe" })
    const identity = yield* users.find(user.value)
    const afterResponse = yield* AfterResponse
    if (Option.isSome(identity)) yield* afterResponse.run(AccountMail.post("recovery", identity.value))
    return true
  }).pipe(
    // A link that is redeemed without its effect would be lost.
    Effect.uninterruptible
  )

const submit = Effect.gen(function* () {
  if (!(yield* report(yield* AccountMail.presentedToken))) return yield* expired
  return yield* Flash.redirect(signIn, Flash.good((yield* PageTexts.texts).notMe.done))
})

/** `GET` and `POST /not-me/:selector/:verifier`, limited. */
export const routes = [
  HttpLayerRouter.route("GET", path, limited(open)),
  HttpLayerRouter.route("POST", path, limited(submit))
]
