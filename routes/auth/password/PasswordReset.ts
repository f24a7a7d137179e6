// A password reset by e-mail, for the page and for the API. No response reveals whether an account exists.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option, Redacted, Schema } from "effect"
import * as Form from "../../../src/auth/internal/Form.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import type { Identity } from "../../../src/session/Identity.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Users } from "../../../src/auth/Users.ts"
import { AfterResponse } from "../../../src/http/AfterResponse.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as ChosenPassword from "./ChosenPassword.ts"
import * as FormState from "../../session/FormState.ts"
import * as KnownDevice from "../signin/KnownDevice.ts"
import * as AccountMail from "../internal/AccountMail.ts"
import * as PasswordChange from "./PasswordChange.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"
import { html } from "../../../src/http/Html.ts"
import * as Flash from "../../session/Flash.ts"
import * as AccountFields from "../internal/AccountFields.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as Refusal from "../../session/internal/Refusal.ts"
import * as Respond from "../../session/Respond.ts"
import { forgot as path, forgot, signIn } from "../internal/AuthPaths.ts"

const Request = Schema.Struct({ email: Form.Email })

const NewPassword = Schema.Struct({
  password: Form.NewPassword,
  password_confirmation: Form.Confirmation
}).pipe(Schema.filter(Form.passwordsMatch))

const limited = RateLimit.middleware(AuthRateLimits.rules.forgot)
const limitedReset = RateLimit.middleware(AuthRateLimits.rules.reset)

const send = Effect.fnUntraced(function* (email: string) {
  const users = yield* Users
  if (!(yield* AccountMail.withinLimit(AuthRateLimits.rules.forgotPerAccount, email))) return
  const identity = yield* users.fetch(email)
  if (Option.isSome(identity)) yield* AccountMail.post("recovery", identity.value)
})

/** Sends a link to the e-mail in this request when it has an account, limited by client and by account. */
export const request = limited(
  Effect.gen(function* () {
    const { email } = yield* FormState.read(Request)
    const afterResponse = yield* AfterResponse
    // Even the lookup of the account runs after the response, so that timing reveals nothing.
    yield* afterResponse.run(send(email))
  })
)

const redeem = (link: Redacted.Redacted, password: Redacted.Redacted, identity: Identity) =>
  Effect.gen(function* () {
    const tokens = yield* Tokens
    const users = yield* Users
    const { id } = identity
    const isKnown = Option.isSome(yield* KnownDevice.trusted(id))
    if (Option.isNone(yield* tokens.redeem(link, "recovery"))) return false
    if (!(yield* PasswordChange.replace(identity, password))) return false
    // The link came by e-mail, which proves access to the mailbox.
    yield* users.confirm(id)
    yield* SecurityLog.record(id, { _tag: "PasswordReset" })
    // A known device has codes of a second factor of its own to try.
    const { knownByReset } = AuthRateLimits.rules
    if (isKnown || (yield* AccountMail.withinLimit(knownByReset, id))) yield* KnownDevice.remember(id)
    return true
  }).pipe(Effect.uninterruptible)

/** Sets the password in this request by the token of a link, limited by client; `false` when it is invalid or expired. */
export const reset = <E, R>(presented: Effect.Effect<Redacted.Redacted, E, R>) =>
  limitedReset(
    Effect.gen(function* () {
      const tokens = yield* Tokens
      const users = yield* Users
      const link = yield* presented
      const owner = yield* tokens.owner(link, "recovery")
      const identity = Option.isSome(owner) ? yield* users.findById(owner.value.user) : Option.none()
      if (Option.isNone(identity)) return false
      const { password } = yield* FormState.read(NewPassword)
      const problem = yield* ChosenPassword.problem(identity.value, password)
      if (problem !== undefined) return yield* FormState.invalid(NewPassword, { fieldErrors: { password: problem } })
      return yield* redeem(link, password, identity.value)
    })
  )

const forgotView = (state: FormState.FormState<"email"> = FormState.empty) =>
  Effect.map(PageTexts.load, ({ texts, token }) => ({
    title: texts.forgot.title,
    main: html`<h1>${texts.forgot.title}</h1>
      <p class="faint">${texts.forgot.lead}</p>
      <div class="card">
        ${FormView.form({ action: path, token, button: texts.forgot.button, fields: [AccountFields.email(state, texts)] })}
      </div>
      <p class="below"><a href="/login">${texts.forgot.back}</a></p>`
  }))

const submitForgot = Effect.gen(function* () {
  yield* request
  return yield* Respond.redirectWithFlash(path, Flash.success((yield* PageTexts.texts).forgot.done))
}).pipe(Effect.catchTag("InvalidForm", (invalid) => Respond.renderInvalid(invalid, forgotView(invalid))))

/** `GET` and `POST /forgot`, limited. */
export const forgotRoutes = [
  HttpLayerRouter.route("GET", path, Respond.render(forgotView())),
  HttpLayerRouter.route("POST", path, submitForgot)
]

const resetPath = "/reset/:selector/:verifier"

const resetView = (link: Redacted.Redacted, state: FormState.FormState<never> = FormState.empty) =>
  Effect.map(Effect.all([PageTexts.load, ChosenPassword.hints()]), ([{ texts, token }, hints]) => ({
    title: texts.reset.title,
    main: html`<h1>${texts.reset.title}</h1>
      <p class="faint">${texts.reset.lead}</p>
      <div class="card">
        ${FormView.form({
          action: `/reset/${Redacted.value(link).replace(".", "/")}`,
          token,
          button: texts.reset.button,
          fields: [...AccountFields.newPassword(state, texts.fields.newPassword, texts, hints)]
        })}
      </div>`
  }))

const expired = PageTexts.withTexts(({ reset }) => Refusal.gone(forgot, reset.expired))

const openReset = Effect.gen(function* () {
  const tokens = yield* Tokens
  const link = yield* AccountMail.presentedToken
  return (yield* tokens.check(link, "recovery")) ? yield* Respond.render(resetView(link)) : yield* expired
})

const submitReset = Effect.gen(function* () {
  if (!(yield* reset(AccountMail.presentedToken))) return yield* expired
  return yield* Respond.redirectWithFlash(signIn, Flash.success((yield* PageTexts.texts).reset.done))
}).pipe(
  Effect.catchTag("InvalidForm", (invalid) =>
    Effect.flatMap(AccountMail.presentedToken, (link) => Respond.renderInvalid(invalid, resetView(link, invalid)))
  )
)

/** `GET` and `POST /reset/:selector/:verifier`, limited. */
export const resetRoutes = [
  HttpLayerRouter.route("GET", resetPath, openReset),
  HttpLayerRouter.route("POST", resetPath, submitReset)
]
