// Sign-in, optionally remembered on this device.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import * as Form from "../../src/auth/Form.ts"
import type { Identity } from "../../src/auth/Identity.ts"
import * as ReturnTo from "../../src/auth/ReturnTo.ts"
import * as SignIns from "../../src/auth/SignIns.ts"
import * as AuthRateLimits from "../../src/auth/AuthRateLimits.ts"
import { AuthSettings } from "../../src/auth/AuthSettings.ts"
import { challenge } from "../../src/auth/Challenge.ts"
import { Overloaded } from "../../src/auth/Password.ts"
import { TooManyRequests } from "../../src/auth/RateLimit.ts"
import { Users } from "../../src/auth/Users.ts"
import { Exchange } from "../../src/http/Exchange.ts"
import { html } from "../../src/http/Html.ts"
import * as Quota from "../http/Quota.ts"
import * as SessionCookie from "../http/SessionCookie.ts"
import * as Throttle from "../http/Throttle.ts"
import * as AccountEvents from "./AccountEvents.ts"
import { guestOnly } from "./Access.ts"
import { home, signIn as path } from "./AuthPaths.ts"
import * as Flash from "./Flash.ts"
import * as FormView from "./FormView.ts"
import * as PageTexts from "./PageTexts.ts"
import * as Reply from "./Reply.ts"
import * as FormRequest from "./FormRequest.ts"
import * as RememberDevice from "./RememberDevice.ts"

const Credentials = Schema.Struct({ email: Form.Email, password: Form.CurrentPassword, remember: Form.Checkbox })

const limited = Throttle.limited(AuthRateLimits.rules.login)

const view = (state: FormRequest.State<"email" | "remember"> = FormRequest.blank) =>
  Effect.map(PageTexts.load, ({ texts, token }) => ({
    title: texts.login.title,
    main: html`<h1>${texts.login.title}</h1>
      <div class="card">
        ${FormView.form({
          action: path,
          token,
          button: texts.login.button,
          fields: [
            FormView.email(state, texts),
            FormView.currentPassword(state, "password", texts),
            FormView.remember(state, texts)
          ]
        })}
      </div>
      <p class="below"><a href="/forgot">${texts.login.forgot}</a></p>
      <p class="below">${texts.login.noAccount} <a href="/register">${texts.login.signUp}</a></p>`
  }))

// One message for an unknown e-mail and a wrong password, so that neither is revealed.
const refusal = Effect.gen(function* () {
  const { realm } = yield* AuthSettings
  const { headers } = yield* Exchange
  headers.set("www-authenticate", challenge(realm))
  return yield* FormRequest.invalid(Credentials, { status: 401, error: (yield* PageTexts.texts).login.refused })
})

const signIn = Effect.fnUntraced(function* (identity: Identity, remember: boolean) {
  const session = yield* SessionCookie.current
  const target = yield* session.pull(ReturnTo.key)
  yield* session.signIn(identity)
  // A previously remembered account is forgotten.
  yield* RememberDevice.forget
  if (remember) yield* RememberDevice.trust(identity.id)
  yield* AccountEvents.afterwards("signIn", identity)
  return Option.flatMapNullable(target, ReturnTo.parse)
})

const runHook = Effect.fnUntraced(function* (identity: Identity) {
  const hook = yield* AccountEvents.within("signIn")
  if (hook === undefined) return
  yield* hook(identity).pipe(
    Effect.catchTag("HookFailed", AccountEvents.refusedForm),
    // A hook may know none of the fields.
    Effect.catchTag("InvalidForm", ({ error, fieldErrors, status }) =>
      FormRequest.invalid(Credentials, { error, fieldErrors, status })
    )
  )
})

const submit = Effect.gen(function* () {
  const { email, password, remember } = yield* FormRequest.read(Credentials)
  yield* Quota.spend(AuthRateLimits.rules.loginPerAccount, email)
  const users = yield* Users
  const identity = yield* users.verify(email, password)
  if (Option.isNone(identity)) return yield* Effect.zipRight(SignIns.record("failure"), refusal)
  // Before there is a session: a failure leaves the visitor signed out.
  yield* Effect.tapError(runHook(identity.value), () => SignIns.record("refused"))
  const target = yield* signIn(identity.value, remember !== undefined)
  yield* SignIns.record("success")
  return yield* Reply.redirectWithFlash(
    Option.getOrElse(target, () => home),
    Flash.good((yield* PageTexts.texts).login.done),
    { value: identity.value }
  )
}).pipe(
  Effect.catchTag("InvalidForm", (invalid) => {
    const focus = invalid.status === 401 ? "password" : undefined
    return Reply.renderInvalid(invalid, view({ ...invalid, focus }))
  }),
  Effect.catchTag("HookFailed", AccountEvents.refused)
)

// What keeps a password from being checked.
const counted = <A, E, R>(handler: Effect.Effect<A, E | TooManyRequests | Overloaded, R>) =>
  Effect.tapError(handler, (error) => {
    if (error instanceof TooManyRequests) return SignIns.record("limited")
    return error instanceof Overloaded ? SignIns.record("unavailable") : Effect.void
  })

/** `GET` and `POST /login`, limited by client and by account. */
export const routes = [
  HttpLayerRouter.route("GET", path, guestOnly(Reply.render(view()))),
  HttpLayerRouter.route("POST", path, counted(limited(submit)))
]
