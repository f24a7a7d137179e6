// Requests a password reset link. The response does not reveal whether the account exists.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import * as Form from "../../src/auth/Form.ts"
import * as AuthRateLimits from "../../src/auth/AuthRateLimits.ts"
import { Users } from "../../src/auth/Users.ts"
import { AfterResponse } from "../../src/http/AfterResponse.ts"
import { html } from "../../src/http/Html.ts"
import * as Throttle from "../http/Throttle.ts"
import * as Flash from "./Flash.ts"
import * as FormView from "./FormView.ts"
import * as MailedLink from "./MailedLink.ts"
import * as PageTexts from "./PageTexts.ts"
import * as Reply from "./Reply.ts"
import * as FormRequest from "./FormRequest.ts"
import { forgot as path } from "./AuthPaths.ts"

const Request = Schema.Struct({ email: Form.Email })

const limited = Throttle.limited(AuthRateLimits.rules.forgot)

const view = (state: FormRequest.State<"email"> = FormRequest.blank) =>
  Effect.map(PageTexts.load, ({ texts, token }) => ({
    title: texts.forgot.title,
    main: html`<h1>${texts.forgot.title}</h1>
      <p class="faint">${texts.forgot.lead}</p>
      <div class="card">
        ${FormView.form({ action: path, token, button: texts.forgot.button, fields: [FormView.email(state, texts)] })}
      </div>
      <p class="below"><a href="/login">${texts.forgot.back}</a></p>`
  }))

const recover = Effect.fnUntraced(function* (email: string) {
  const users = yield* Users
  if (!(yield* MailedLink.withinLimit(AuthRateLimits.rules.forgotPerAccount, email))) return
  const identity = yield* users.fetch(email)
  if (Option.isSome(identity)) yield* MailedLink.post("recovery", identity.value)
})

const submit = Effect.gen(function* () {
  const { email } = yield* FormRequest.read(Request)
  const afterResponse = yield* AfterResponse
  // Even the lookup of the account runs after the response, so that timing reveals nothing.
  yield* afterResponse.run(recover(email))
  return yield* Reply.redirectWithFlash(path, Flash.good((yield* PageTexts.texts).forgot.done))
}).pipe(Effect.catchTag("InvalidForm", (invalid) => Reply.renderInvalid(invalid, view(invalid))))

/** `GET` and `POST /forgot`, limited. */
export const routes = [
  HttpLayerRouter.route("GET", path, Reply.render(view())),
  HttpLayerRouter.route("POST", path, limited(submit))
]
