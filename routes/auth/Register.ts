// Sign-up: creates an account, signs it in and sends the verification e-mail.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option } from "effect"
import type { AccountId, Identity } from "../../src/auth/Identity.ts"
import * as AuthRateLimits from "../../src/auth/AuthRateLimits.ts"
import { Profiles } from "../../src/auth/Profile.ts"
import { Users } from "../../src/auth/Users.ts"
import { AfterResponse } from "../../src/http/AfterResponse.ts"
import { html } from "../../src/http/Html.ts"
import * as SessionCookie from "../http/SessionCookie.ts"
import * as Texts from "../http/Texts.ts"
import * as Throttle from "../http/Throttle.ts"
import * as AccountEvents from "./AccountEvents.ts"
import { guestOnly } from "./Access.ts"
import { home } from "./AuthPaths.ts"
import * as Flash from "./Flash.ts"
import * as FormView from "./FormView.ts"
import * as MailedLink from "./MailedLink.ts"
import * as PageTexts from "./PageTexts.ts"
import * as ProfileView from "./ProfileView.ts"
import * as Reply from "./Reply.ts"
import * as FormRequest from "./FormRequest.ts"
import * as RememberDevice from "./RememberDevice.ts"
import * as SignUpForm from "./SignUpForm.ts"

const path = "/register"

const limited = Throttle.limited(AuthRateLimits.rules.register)

const view = (state: FormRequest.State = FormRequest.blank) =>
  Effect.gen(function* () {
    const { texts, token } = yield* PageTexts.load
    const profile = Option.getOrUndefined(yield* Effect.serviceOption(Profiles))?.definition
    return {
      title: texts.register.title,
      main: html`<h1>${texts.register.title}</h1>
        <div class="card">
          ${FormView.form({
            action: path,
            token,
            button: texts.register.button,
            fields: [
              ...(profile === undefined ? [] : ProfileView.inputs(profile, state, yield* Texts.language)),
              FormView.email(state, texts),
              ...FormView.newPassword(state, texts.fields.password, texts)
            ]
          })}
        </div>
        <p class="below">${texts.register.haveAccount} <a href="/login">${texts.register.signIn}</a></p>`
    }
  })

const signIn = Effect.fnUntraced(function* (identity: Identity) {
  const session = yield* SessionCookie.current
  const afterResponse = yield* AfterResponse
  yield* session.signIn(identity)
  // A previously remembered account is forgotten.
  yield* RememberDevice.forget
  yield* afterResponse.run(MailedLink.post("verification", identity))
  yield* AccountEvents.afterwards("signUp", identity)
})

const create = Effect.fnUntraced(function* ({ email, emailTaken, enrolment, password, refuse }: SignUpForm.SignUp) {
  const users = yield* Users
  const account = (id: AccountId): Identity => ({ id, email, verified: false })
  return yield* users.enroll(email, password, yield* AccountEvents.enrolment(enrolment, account)).pipe(
    Effect.map(account),
    Effect.tap(signIn),
    // When the client disconnects, the account still gets its e-mail.
    Effect.uninterruptible,
    Effect.catchTag("Duplicate", () => emailTaken),
    Effect.catchTag("HookFailed", AccountEvents.refusedForm),
    // A hook may know only some of the fields.
    Effect.catchTag("InvalidForm", ({ error, fieldErrors, status }) => refuse({ error, fieldErrors, status }))
  )
})

const submit = Effect.gen(function* () {
  const form = yield* SignUpForm.read
  const identity = yield* create(form)
  const notice = Flash.good((yield* PageTexts.texts).register.done)
  const value = form.profile === undefined ? identity : { ...identity, profile: form.profile }
  return yield* Reply.redirectWithFlash(home, notice, { status: 201, value })
}).pipe(
  Effect.catchTag("InvalidForm", (invalid) => Reply.renderInvalid(invalid, view(invalid))),
  Effect.catchTag("HookFailed", AccountEvents.refused)
)

/** `GET` and `POST /register`, limited. */
export const routes = [
  HttpLayerRouter.route("GET", path, guestOnly(Reply.render(view()))),
  HttpLayerRouter.route("POST", path, limited(submit))
]
