// Sets a new password by the mailed link.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option, Redacted, Schema } from "effect"
import * as Form from "../../src/auth/Form.ts"
import * as AuthRateLimits from "../../src/auth/AuthRateLimits.ts"
import { Tokens } from "../../src/auth/Tokens.ts"
import { Users } from "../../src/auth/Users.ts"
import { html } from "../../src/http/Html.ts"
import * as Throttle from "../http/Throttle.ts"
import { forgot, signIn } from "./AuthPaths.ts"
import * as Flash from "./Flash.ts"
import * as FormView from "./FormView.ts"
import * as LinkToken from "./LinkToken.ts"
import * as PageTexts from "./PageTexts.ts"
import * as PasswordReplacement from "./PasswordReplacement.ts"
import * as Reply from "./Reply.ts"
import * as FormRequest from "./FormRequest.ts"

const path = "/reset/:selector/:verifier"

const NewPassword = Schema.Struct({
  password: Form.NewPassword,
  password_confirmation: Form.Confirmation
}).pipe(Schema.filter(Form.passwordsMatch))

const limited = Throttle.limited(AuthRateLimits.rules.reset)

const view = (link: Redacted.Redacted, state: FormRequest.State<never> = FormRequest.blank) =>
  Effect.map(PageTexts.load, ({ texts, token }) => ({
    title: texts.reset.title,
    main: html`<h1>${texts.reset.title}</h1>
      <p class="faint">${texts.reset.lead}</p>
      <div class="card">
        ${FormView.form({
          action: `/reset/${Redacted.value(link).replace(".", "/")}`,
          token,
          button: texts.reset.button,
          fields: [...FormView.newPassword(state, texts.fields.newPassword, texts)]
        })}
      </div>`
  }))

const expired = PageTexts.withTexts(({ reset }) => Reply.gone(forgot, reset.expired))

const open = Effect.gen(function* () {
  const tokens = yield* Tokens
  const link = yield* LinkToken.presented
  return (yield* tokens.check(link, "recovery")) ? yield* Reply.render(view(link)) : yield* expired
})

const reset = (link: Redacted.Redacted, password: Redacted.Redacted) =>
  Effect.gen(function* () {
    const tokens = yield* Tokens
    const users = yield* Users
    const user = yield* tokens.redeem(link, "recovery")
    if (Option.isNone(user)) return yield* expired
    yield* PasswordReplacement.replace(user.value, password)
    // The link came by e-mail, which proves access to the mailbox.
    yield* users.confirm(user.value)
    return yield* Reply.redirectWithFlash(signIn, Flash.good((yield* PageTexts.texts).reset.done))
  }).pipe(Effect.uninterruptible)

const submit = Effect.gen(function* () {
  const tokens = yield* Tokens
  const users = yield* Users
  const link = yield* LinkToken.presented
  const owner = yield* tokens.owner(link, "recovery")
  const identity = Option.isSome(owner) ? yield* users.find(owner.value) : Option.none()
  if (Option.isNone(identity)) return yield* expired
  return yield* Effect.gen(function* () {
    const { password } = yield* FormRequest.read(NewPassword)
    const problem = Form.passwordProblem(identity.value.email, password)
    if (problem !== undefined) return yield* FormRequest.invalid(NewPassword, { fieldErrors: { password: problem } })
    return yield* reset(link, password)
  }).pipe(Effect.catchTag("InvalidForm", (invalid) => Reply.renderInvalid(invalid, view(link, invalid))))
})

/** `GET` and `POST /reset/:selector/:verifier`, limited. */
export const routes = [HttpLayerRouter.route("GET", path, open), HttpLayerRouter.route("POST", path, limited(submit))]
