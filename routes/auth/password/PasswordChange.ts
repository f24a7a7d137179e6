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
import * as AccountAccess from "../internal/AccountAccess.ts"
import * as AccountFields from "../internal/AccountFields.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as Respond from "../../session/Respond.ts"
import * as FormState from "../../session/FormState.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import * as Form from "../../../src/auth/internal/Form.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as Confirmation from "../confirmation/Confirmation.ts"
import * as RememberDevice from "../RememberDevice.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"

const Change = Schema.Struct({
  current: Form.CurrentPassword,
  password: Form.NewPassword,
  password_confirmation: Form.Confirmation,
  /** Whether the API tokens go on working. */
  keep_tokens: Form.Checkbox
}).pipe(Schema.filter(Form.passwordsMatch))

const limited = RateLimit.middleware(AuthRateLimits.rules.password)

// The queue for hashing may be full: retry, because the reset link is already used.
const retries = Schedule.intersect(Schedule.spaced("500 millis"), Schedule.recurs(40))

interface Ending {
  readonly apiTokens?: "Kept" | "Revoked"
  /** Whether the mailbox has proved the account, and not the old password: then everything that waits ends too. */
  readonly byLink?: { readonly isProved: boolean }
}

/**
 * Runs `store`, which replaces the password. Then ends what the old one granted, and regenerates this session; `false` when
 * nothing was replaced. Uninterruptible: a client that disconnects must not keep old sessions alive under the new password.
 */
const endingAfter = <E, R>(
  user: AccountId,
  store: Effect.Effect<boolean, E, R>,
  { apiTokens = "Revoked", byLink }: Ending
) =>
  Effect.gen(function* () {
    const session = yield* SessionCookie.current
    if (!(yield* store)) return false
    // Anyone who signed up with an address that is not theirs may have added ways in of their own: its owner starts alone.
    if (byLink?.isProved === false) yield* AccountAccess.removeFactors(user)
    // Not the links that report a change: anyone who has the account must not silence what its owner was told before.
    yield* AccountAccess.revokeLinks(user)
    if (byLink !== undefined) yield* AccountAccess.endChanges(user)
    yield* AccountAccess.endSessions(user, session)
    // After the revocation has its number: a token that is made at this moment is deleted here, or by its own request.
    if (apiTokens === "Revoked") yield* AccountAccess.revokeTokens(user)
    yield* session.regenerate
    return true
  }).pipe(Effect.uninterruptible)

/**
 * Replaces the password of an account that has proved itself by a link to its address, and ends everything that the old one
 * granted; `false` when the account has another address by now: anyone who reads the old one must not choose its password.
 */
export const replace = ({ email, id, verified: isProved }: Identity, password: Redacted.Redacted) =>
  endingAfter(
    id,
    Effect.flatMap(Users, (users) => Effect.retry(users.rotate(id, password, { email }), retries)),
    { byLink: { isProved } }
  )

const invalid = (name: string, message: string) =>
  FormState.invalid(Change, { error: message, fieldErrors: { [name]: message } })

/** Changes the password of the signed-in account by the form in this request, limited by client and by account. */
export const change = limited(
  Effect.gen(function* () {
    const { current, keep_tokens, password } = yield* FormState.read(Change)
    const { email, id } = yield* CurrentIdentity
    const problem = yield* ChosenPassword.problem({ email, id }, password)
    if (problem !== undefined) return yield* invalid("password", problem)
    yield* RateLimit.spend(AuthRateLimits.rules.confirmPerAccount, id)
    yield* RateLimit.spend(AuthRateLimits.rules.credentialsPerAccount, id)
    const users = yield* Users
    const apiTokens = keep_tokens === undefined ? "Revoked" : "Kept"
    if (!(yield* endingAfter(id, users.rotate(id, password, { current }), { apiTokens }))) {
      return yield* invalid("current", (yield* PageTexts.texts).validation.passwordWrong)
    }
    yield* Confirmation.renew
    yield* SecurityLog.record(id, { _tag: "PasswordChanged" })
    // The series of this device was revoked with the others, so its cookie is useless.
    yield* RememberDevice.forget
  })
)

const path = "/password"

const keepTokens = (label: string): Html =>
  html`<div class="check">
    <input id="keep_tokens" name="keep_tokens" type="checkbox" value="1" />
    <label for="keep_tokens">${label}</label>
  </div>`

const view = Effect.fnUntraced(function* (state: FormState.FormState<never> = FormState.empty) {
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
            ...(hasTokens ? [keepTokens(texts.tokens.keepAll)] : [])
          ]
        })}
      </div>
      <p class="below"><a href="${home}">${texts.password.back}</a></p>`
  }
})

const submit = Effect.gen(function* () {
  yield* change
  return yield* Respond.redirectWithFlash(home, Flash.success((yield* PageTexts.texts).password.done))
}).pipe(Effect.catchTag("InvalidForm", (invalid) => Respond.renderInvalid(invalid, view(invalid))))

/** `GET` and `POST /password`, for signed-in users, limited. */
export const routes = [
  HttpLayerRouter.route("GET", path, requireUser(Respond.render(view()))),
  HttpLayerRouter.route("POST", path, requireUser(submit))
]
