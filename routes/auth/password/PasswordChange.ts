// A new password of the signed-in user. Whatever the old one granted is revoked, also by a reset.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, type Redacted, Schedule, Schema } from "effect"
import { type AccountId, CurrentIdentity, type Identity } from "../../../src/session/Identity.ts"
import { type Html, html } from "../../../src/http/Html.ts"
import { requireUser } from "../Access.ts"
import * as AccountTokens from "../tokens/AccountTokens.ts"
import { home } from "../internal/AuthPaths.ts"
import * as ChosenPassword from "./ChosenPassword.ts"
import * as Flash from "../../session/Flash.ts"
import * as AccountFields from "../internal/AccountFields.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as Reply from "../../session/Reply.ts"
import * as FormRequest from "../../session/FormRequest.ts"
import { AccountChanges } from "../../../src/auth/AccountChanges.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import * as Form from "../../../src/auth/internal/Form.ts"
import { Sessions } from "../../../src/session/Session.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Trust } from "../../../src/auth/Trust.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as Quota from "../../session/internal/Quota.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as Throttle from "../../session/Throttle.ts"
import * as Confirmation from "../confirmation/Confirmation.ts"
import * as RememberDevice from "../RememberDevice.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"

const Change = Schema.Struct({
  current: Form.CurrentPassword,
  password: Form.NewPassword,
  password_confirmation: Form.Confirmation,
  /** Whether the API tokens are revoked too. */
  revoke_tokens: Form.Checkbox
}).pipe(Schema.filter(Form.passwordsMatch))

const limited = Throttle.limited(AuthRateLimits.rules.password)

// The queue for hashing may be full: retry, because the reset link is already used.
const retries = Schedule.intersect(Schedule.spaced("500 millis"), Schedule.recurs(40))

/**
 * Runs `store`, which replaces the password. Then revokes every link but those of "This was not me", every trusted device and
 * API token, ends every other session and regenerates this one; `false` when nothing was replaced. Uninterruptible: a client
 * that disconnects must not keep old sessions alive under the new password.
 */
const revokingAfter = <E, R>(
  user: AccountId,
  store: Effect.Effect<boolean, E, R>,
  apiTokens: "Kept" | "Revoked" = "Revoked"
) =>
  Effect.gen(function* () {
    const tokens = yield* Tokens
    const programs = yield* ApiTokens
    const devices = yield* Trust
    const sessions = yield* Sessions
    const session = yield* SessionCookie.current
    if (!(yield* store)) return false
    // Not those that report a change: whoever has the account must not silence what its owner was told before.
    yield* tokens.revoke(user, "recovery")
    yield* tokens.revoke(user, "verification")
    // A new address that someone with the old password asked for.
    yield* Effect.flatMap(AccountChanges, ({ cancelEmail }) => cancelEmail(user))
    yield* devices.revoke(user)
    yield* sessions.revoke(user, session)
    // After the revocation has its number: a token that is made at this moment is deleted here, or by its own request.
    if (apiTokens === "Revoked" && (yield* programs.revokeAll(user)) > 0) {
      yield* SecurityLog.record(user, { _tag: "TokenRevoked" })
    }
    yield* session.regenerate
    return true
  }).pipe(Effect.uninterruptible)

/**
 * Replaces the password of an account that has proved itself by a link to its address, and revokes everything that the old one
 * granted; `false` when the account has another address by now: whoever reads the old one must not choose its password.
 */
export const replace = ({ email, id }: Pick<Identity, "email" | "id">, password: Redacted.Redacted) =>
  revokingAfter(
    id,
    Effect.flatMap(Users, (users) => Effect.retry(users.rotate(id, password, { email }), retries))
  )

const invalid = (name: string, message: string) =>
  FormRequest.invalid(Change, { error: message, fieldErrors: { [name]: message } })

/** Changes the password of the signed-in account by the form in this request, limited by client and by account. */
export const change = limited(
  Effect.gen(function* () {
    const { current, password, revoke_tokens } = yield* FormRequest.read(Change)
    const { email, id } = yield* CurrentIdentity
    const problem = yield* ChosenPassword.problem({ email, id }, password)
    if (problem !== undefined) return yield* invalid("password", problem)
    yield* Quota.spend(AuthRateLimits.rules.confirmPerAccount, id)
    const users = yield* Users
    // The owner knows the old password: a program that works with a token goes on, unless the owner decides otherwise.
    const apiTokens = revoke_tokens === undefined ? "Kept" : "Revoked"
    if (!(yield* revokingAfter(id, users.rotate(id, password, { current }), apiTokens))) {
      return yield* invalid("current", (yield* PageTexts.texts).validation.passwordWrong)
    }
    yield* Confirmation.renew
    yield* SecurityLog.record(id, { _tag: "PasswordChanged" })
    // The series of this device was revoked with the others, so its cookie is useless.
    yield* RememberDevice.forget
  })
)

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
  yield* change
  return yield* Reply.redirectWithFlash(home, Flash.good((yield* PageTexts.texts).password.done))
}).pipe(Effect.catchTag("InvalidForm", (invalid) => Reply.renderInvalid(invalid, view(invalid))))

/** `GET` and `POST /password`, for signed-in users, limited. */
export const routes = [
  HttpLayerRouter.route("GET", path, requireUser(Reply.render(view()))),
  HttpLayerRouter.route("POST", path, requireUser(submit))
]
