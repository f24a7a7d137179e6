// Changes the password of the signed-in user.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Schema } from "effect"
import * as Form from "../../src/auth/Form.ts"
import { CurrentIdentity } from "../../src/auth/Identity.ts"
import * as AuthRateLimits from "../../src/auth/AuthRateLimits.ts"
import { Users } from "../../src/auth/Users.ts"
import { html } from "../../src/http/Html.ts"
import * as Throttle from "../http/Throttle.ts"
import { requireUser } from "./Access.ts"
import { home } from "./AuthPaths.ts"
import * as Flash from "./Flash.ts"
import * as FormView from "./FormView.ts"
import * as PageTexts from "./PageTexts.ts"
import * as PasswordReplacement from "./PasswordReplacement.ts"
import * as Reply from "./Reply.ts"
import * as FormRequest from "./FormRequest.ts"
import * as RememberDevice from "./RememberDevice.ts"

const path = "/password"

const Change = Schema.Struct({
  current: Form.CurrentPassword,
  password: Form.NewPassword,
  password_confirmation: Form.Confirmation
}).pipe(Schema.filter(Form.passwordsMatch))

const limited = Throttle.limited(AuthRateLimits.rules.password)

const view = Effect.fnUntraced(function* (state: FormRequest.State<never> = FormRequest.blank) {
  const { email } = yield* CurrentIdentity
  const { texts, token } = yield* PageTexts.load
  return {
    title: texts.password.title,
    main: html`<h1>${texts.password.title}</h1>
      <p class="faint">${texts.password.lead}</p>
      <div class="card">
        ${FormView.form({
          action: path,
          token,
          button: texts.password.button,
          fields: [
            FormView.owner(email),
            FormView.currentPassword(state, "current", texts),
            ...FormView.newPassword(state, texts.fields.newPassword, texts)
          ]
        })}
      </div>
      <p class="below"><a href="${home}">${texts.password.back}</a></p>`
  }
})

const invalid = (name: string, message: string) =>
  FormRequest.invalid(Change, { error: message, fieldErrors: { [name]: message } })

const submit = Effect.gen(function* () {
  const { current, password } = yield* FormRequest.read(Change)
  const { email, id } = yield* CurrentIdentity
  const problem = Form.passwordProblem(email, password)
  if (problem !== undefined) return yield* invalid("password", problem)
  const users = yield* Users
  const texts = yield* PageTexts.texts
  if (!(yield* users.check(id, current))) return yield* invalid("current", texts.validation.passwordWrong)
  yield* PasswordReplacement.replace(id, password)
  // The series of this device was revoked with the others, so its cookie is useless.
  yield* RememberDevice.forget
  return yield* Reply.redirectWithFlash(home, Flash.good(texts.password.done))
}).pipe(Effect.catchTag("InvalidForm", (invalid) => Reply.renderInvalid(invalid, view(invalid))))

/** `GET` and `POST /password`, for signed-in users, limited. */
export const routes = [
  HttpLayerRouter.route("GET", path, requireUser(Reply.render(view()))),
  HttpLayerRouter.route("POST", path, requireUser(limited(submit)))
]
