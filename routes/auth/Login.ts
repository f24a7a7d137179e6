// Sign-in, optionally remembered on this device.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option } from "effect"
import { html } from "../../src/http/Html.ts"
import * as AccountEvents from "./AccountEvents.ts"
import { guestOnly } from "./Access.ts"
import { home, signIn as path } from "./AuthPaths.ts"
import * as Flash from "./Flash.ts"
import * as FormView from "./FormView.ts"
import * as PageTexts from "./PageTexts.ts"
import * as Reply from "./Reply.ts"
import * as FormRequest from "./FormRequest.ts"
import * as SignIn from "./SignIn.ts"

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

const submit = Effect.gen(function* () {
  const { granted: target, identity } = yield* SignIn.attempt(SignIn.inBrowser)
  return yield* Reply.redirectWithFlash(
    Option.getOrElse(target, () => home),
    Flash.good((yield* PageTexts.texts).login.done),
    { value: identity }
  )
}).pipe(
  Effect.catchTag("InvalidForm", (invalid) => {
    const focus = invalid.status === 401 ? "password" : undefined
    return Reply.renderInvalid(invalid, view({ ...invalid, focus }))
  }),
  Effect.catchTag("HookFailed", AccountEvents.refused)
)

/** `GET` and `POST /login`, limited by client and by account. */
export const routes = [
  HttpLayerRouter.route("GET", path, guestOnly(Reply.render(view()))),
  HttpLayerRouter.route("POST", path, submit)
]
