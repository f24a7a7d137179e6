// Sets a new password by the mailed link.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { html } from "../../../src/http/Html.ts"
import { forgot, signIn } from "../internal/AuthPaths.ts"
import * as ChosenPassword from "./ChosenPassword.ts"
import * as Flash from "../../session/Flash.ts"
import * as AccountFields from "../internal/AccountFields.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as LinkToken from "../internal/LinkToken.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as Recovery from "./Recovery.ts"
import * as Reply from "../../session/Reply.ts"
import * as FormRequest from "../../session/FormRequest.ts"

const path = "/reset/:selector/:verifier"

const view = (link: Redacted.Redacted, state: FormRequest.State<never> = FormRequest.blank) =>
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

const expired = PageTexts.withTexts(({ reset }) => Reply.gone(forgot, reset.expired))

const open = Effect.gen(function* () {
  const tokens = yield* Tokens
  const link = yield* LinkToken.presented
  return (yield* tokens.check(link, "recovery")) ? yield* Reply.render(view(link)) : yield* expired
})

const submit = Effect.gen(function* () {
  if (!(yield* Recovery.reset(LinkToken.presented))) return yield* expired
  return yield* Reply.redirectWithFlash(signIn, Flash.good((yield* PageTexts.texts).reset.done))
}).pipe(
  Effect.catchTag("InvalidForm", (invalid) =>
    Effect.flatMap(LinkToken.presented, (link) => Reply.renderInvalid(invalid, view(link, invalid)))
  )
)

/** `GET` and `POST /reset/:selector/:verifier`, limited. */
export const routes = [HttpLayerRouter.route("GET", path, open), HttpLayerRouter.route("POST", path, submit)]
