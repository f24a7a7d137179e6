// Changes the password of the signed-in user.
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { type Html, html } from "../../../src/http/Html.ts"
import { requireUser } from "../Access.ts"
import * as AccountTokens from "../tokens/AccountTokens.ts"
import { home } from "../internal/AuthPaths.ts"
import * as ChosenPassword from "./ChosenPassword.ts"
import * as Flash from "../../session/Flash.ts"
import * as AccountFields from "../internal/AccountFields.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as PasswordReplacement from "./PasswordReplacement.ts"
import * as Reply from "../../session/Reply.ts"
import * as FormRequest from "../../session/FormRequest.ts"

const path = "/password"

const revokeTokens = (label: string): Html =>
  html`<div class="check">
    <input id="revoke_tokens" name="revoke_tokens" type="checkbox" value="1" />
    <label for="revoke_tokens">${label}</label>
  </div>`

const view = Effect.fnUntraced(function* (state: FormRequest.State<never> = FormRequest.blank) {
  const { email, id } = yield* CurrentIdentity
  const hints = yield* ChosenPassword.hints({ email, id })
  const { texts, token } = yield* PageTexts.load
  const hasTokens = (yield* AccountTokens.list).length > 0
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
            AccountFields.owner(email),
            AccountFields.currentPassword(state, "current", texts),
            ...AccountFields.newPassword(state, texts.fields.newPassword, texts, hints),
            ...(hasTokens ? [revokeTokens(texts.tokens.revokeAll)] : [])
          ]
        })}
      </div>
      <p class="below"><a href="${home}">${texts.password.back}</a></p>`
  }
})

const submit = Effect.gen(function* () {
  yield* PasswordReplacement.change
  return yield* Reply.redirectWithFlash(home, Flash.good((yield* PageTexts.texts).password.done))
}).pipe(Effect.catchTag("InvalidForm", (invalid) => Reply.renderInvalid(invalid, view(invalid))))

/** `GET` and `POST /password`, for signed-in users, limited. */
export const routes = [
  HttpLayerRouter.route("GET", path, requireUser(Reply.render(view()))),
  HttpLayerRouter.route("POST", path, requireUser(submit))
]
