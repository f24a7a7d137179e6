// "This was not me": the link in a message after a change or a sign-in. The page asks first, so that a scanner that opens the
// link does nothing.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option, Redacted } from "effect"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Users } from "../../../src/auth/Users.ts"
import { AfterResponse } from "../../../src/http/AfterResponse.ts"
import { html } from "../../../src/http/Html.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as AccountAccess from "../internal/AccountAccess.ts"
import { forgot, notMe as path, signIn } from "../internal/AuthPaths.ts"
import * as Flash from "../../session/Flash.ts"
import * as StoredFlash from "../../session/internal/StoredFlash.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as AccountMail from "../internal/AccountMail.ts"
import * as Page from "../../session/Page.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as RememberCookie from "../internal/RememberCookie.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"

const limited = RateLimit.middleware(AuthRateLimits.rules.notMe)

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

const expired = PageTexts.withTexts(({ notMe }) => StoredFlash.redirect(forgot, Flash.error(notMe.expired)))

const open = Effect.gen(function* () {
  const tokens = yield* Tokens
  const link = yield* AccountMail.presentedToken
  return (yield* tokens.check(link, "not_me")) ? yield* Page.render(yield* view(link)) : yield* expired
})

const report = (link: Redacted.Redacted) =>
  Effect.gen(function* () {
    const tokens = yield* Tokens
    const users = yield* Users
    const owner = yield* tokens.owner(link, "not_me")
    if (Option.isNone(owner) || Option.isNone(yield* tokens.redeem(link, "not_me"))) return false
    const { since, user } = owner.value
    if (yield* AccountAccess.leave(user)) yield* RememberCookie.clear
    yield* AccountAccess.endAll(user, since)
    // Those that report what came before stay: they reach further back.
    yield* tokens.revoke(user, "not_me", since)
    yield* SecurityLog.record(user, { _tag: "ReportedNotMe" })
    const identity = yield* users.findById(user)
    const afterResponse = yield* AfterResponse
    if (Option.isSome(identity)) yield* afterResponse.run(AccountMail.post("recovery", identity.value))
    return true
  }).pipe(
    // A link that is redeemed without its effect would be lost.
    Effect.uninterruptible
  )

const submit = Effect.gen(function* () {
  if (!(yield* report(yield* AccountMail.presentedToken))) return yield* expired
  return yield* PageTexts.redirect(signIn, ({ notMe }) => notMe.done)
})

/** `GET` and `POST /not-me/:selector/:verifier`, limited. */
export const routes = [
  HttpLayerRouter.route("GET", path, limited(open)),
  HttpLayerRouter.route("POST", path, limited(submit))
]
