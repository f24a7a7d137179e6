// The page on which a signed-in user confirms who they are, before a change that a stolen session must not make.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option } from "effect"
import { CurrentIdentity } from "../../src/auth/Identity.ts"
import * as ReturnTo from "../../src/auth/ReturnTo.ts"
import { html } from "../../src/http/Html.ts"
import * as SessionCookie from "../http/SessionCookie.ts"
import { requireUser } from "./Access.ts"
import { confirm as path, home } from "./AuthPaths.ts"
import * as Confirmation from "./Confirmation.ts"
import * as FormRequest from "./FormRequest.ts"
import * as FormView from "./FormView.ts"
import * as PageTexts from "./PageTexts.ts"
import * as Reply from "./Reply.ts"

const view = Effect.fnUntraced(function* (state: FormRequest.State<never> = FormRequest.blank) {
  const { email } = yield* CurrentIdentity
  const { texts, token } = yield* PageTexts.load
  return {
    title: texts.confirm.title,
    main: html`<h1>${texts.confirm.title}</h1>
      <p class="faint">${texts.confirm.lead}</p>
      <div class="card">
        ${FormView.form({
          action: path,
          token,
          button: texts.confirm.button,
          fields: [FormView.owner(email), FormView.currentPassword({ focus: "current", ...state }, "current", texts)]
        })}
      </div>
      <p class="below"><a href="${home}">${texts.password.back}</a></p>`
  }
})

const open = Effect.flatMap(Confirmation.isRecent, (confirmed) => Reply.render(view(), { confirmed }))

const submit = Effect.gen(function* () {
  yield* Confirmation.submit
  const session = yield* SessionCookie.current
  const target = Option.flatMapNullable(yield* session.pull(ReturnTo.confirmKey), ReturnTo.parse)
  const { confirm: texts } = yield* PageTexts.texts
  return yield* Reply.redirect(
    Option.getOrElse(target, () => home),
    { value: { message: texts.done } }
  )
}).pipe(Effect.catchTag("InvalidForm", (invalid) => Reply.renderInvalid(invalid, view(invalid))))

/** `GET` and `POST /confirm`, for signed-in users, limited by client and by account. */
export const routes = [
  HttpLayerRouter.route("GET", path, requireUser(open)),
  HttpLayerRouter.route("POST", path, requireUser(submit))
]
