// Sign-up: creates an account, signs it in and sends the verification e-mail.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option } from "effect"
import { html } from "../../../src/http/Html.ts"
import * as Texts from "../../http/Texts.ts"
import * as AccountEvents from "../internal/AccountEvents.ts"
import * as AccountProfile from "./AccountProfile.ts"
import { requireGuest } from "../Access.ts"
import { home, withProvider } from "../internal/AuthPaths.ts"
import * as BrowserSession from "../signin/BrowserSession.ts"
import * as ChosenPassword from "../password/ChosenPassword.ts"
import * as Flash from "../../session/Flash.ts"
import * as AccountFields from "../internal/AccountFields.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as ProviderButtons from "../providers/ProviderButtons.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as Respond from "../../session/Respond.ts"
import * as FormState from "../../session/FormState.ts"
import * as SignUp from "./SignUp.ts"

const path = "/register"

const view = (state: FormState.FormState = FormState.empty) =>
  Effect.gen(function* () {
    const { texts, token } = yield* PageTexts.load
    const hints = yield* ChosenPassword.hints()
    const buttons = yield* ProviderButtons.view(yield* ProviderButtons.offered, {
      token,
      action: withProvider,
      label: texts.providers.signUp,
      or: texts.providers.or
    })
    const profile = Option.getOrUndefined(yield* AccountProfile.store)?.definition
    return {
      title: texts.register.title,
      main: html`<h1>${texts.register.title}</h1>
        <div class="card">
          ${FormView.form({
            action: path,
            token,
            button: texts.register.button,
            fields: [
              ...(profile === undefined ? [] : AccountProfile.inputs(profile, state, yield* Texts.language)),
              AccountFields.email(state, texts),
              ...AccountFields.newPassword(state, texts.fields.password, texts, hints)
            ]
          })}
          ${buttons}
        </div>
        <p class="below">${texts.register.haveAccount} <a href="/login">${texts.register.signIn}</a></p>`
    }
  })

const submit = Effect.gen(function* () {
  const { identity, profile } = yield* SignUp.submit((identity) => BrowserSession.begin(identity))
  const notice = Flash.success((yield* PageTexts.texts).register.done)
  const value = profile === undefined ? identity : { ...identity, profile }
  return yield* Respond.redirectWithFlash(home, notice, { status: 201, value })
}).pipe(
  Effect.catchTag("InvalidForm", (invalid) => Respond.renderInvalid(invalid, view(invalid))),
  Effect.catchTag("HookFailed", AccountEvents.refused)
)

/** `GET` and `POST /register`, limited. */
export const routes = [
  HttpLayerRouter.route("GET", path, requireGuest(Respond.render(view()))),
  HttpLayerRouter.route("POST", path, submit)
]
