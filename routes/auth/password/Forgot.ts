// Requests a password reset link. The response does not reveal whether the account exists.
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import { html } from "../../../src/http/Html.ts"
import * as Flash from "../../session/Flash.ts"
import * as AccountFields from "../internal/AccountFields.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as Recovery from "./Recovery.ts"
import * as Reply from "../../session/Reply.ts"
import * as FormRequest from "../../session/FormRequest.ts"
import { forgot as path } from "../internal/AuthPaths.ts"

const view = (state: FormRequest.State<"email"> = FormRequest.blank) =>
  Effect.map(PageTexts.load, ({ texts, token }) => ({
    title: texts.forgot.title,
    main: html`<h1>${texts.forgot.title}</h1>
      <p class="faint">${texts.forgot.lead}</p>
      <div class="card">
        ${FormView.form({ action: path, token, button: texts.forgot.button, fields: [AccountFields.email(state, texts)] })}
      </div>
      <p class="below"><a href="/login">${texts.forgot.back}</a></p>`
  }))

const submit = Effect.gen(function* () {
  yield* Recovery.request
  return yield* Reply.redirectWithFlash(path, Flash.good((yield* PageTexts.texts).forgot.done))
}).pipe(Effect.catchTag("InvalidForm", (invalid) => Reply.renderInvalid(invalid, view(invalid))))

/** `GET` and `POST /forgot`, limited. */
export const routes = [
  HttpLayerRouter.route("GET", path, Reply.render(view())),
  HttpLayerRouter.route("POST", path, submit)
]
