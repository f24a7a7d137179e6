// Replaces a password and revokes everything that was granted by the old one.
import { Effect, type Redacted, Schedule, Schema } from "effect"
import { AccountChanges } from "../../src/auth/AccountChanges.ts"
import { ApiTokens } from "../../src/auth/ApiTokens.ts"
import * as AuthRateLimits from "../../src/auth/AuthRateLimits.ts"
import * as Form from "../../src/auth/Form.ts"
import { type AccountId, CurrentIdentity } from "../../src/auth/Identity.ts"
import { Sessions } from "../../src/auth/Session.ts"
import { Tokens } from "../../src/auth/Tokens.ts"
import { Trust } from "../../src/auth/Trust.ts"
import { Users } from "../../src/auth/Users.ts"
import * as SessionCookie from "../http/SessionCookie.ts"
import * as Throttle from "../http/Throttle.ts"
import * as ChosenPassword from "./ChosenPassword.ts"
import * as Confirmation from "./Confirmation.ts"
import * as FormRequest from "./FormRequest.ts"
import * as PageTexts from "./PageTexts.ts"
import * as RememberDevice from "./RememberDevice.ts"
import * as SecurityLog from "./SecurityLog.ts"

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

/** Stores a new password; the caller revokes what the old one granted. */
const store = (user: AccountId, password: Redacted.Redacted) =>
  Effect.flatMap(Users, (users) => Effect.retry(users.rotate(user, password), retries))

/**
 * Replaces the password, revokes every link but those of "This was not me", every trusted device and API token, ends every
 * other session and regenerates this one. Uninterruptible: a client that disconnects must not keep old sessions alive under the new password.
 */
export const replace = (user: AccountId, password: Redacted.Redacted, apiTokens: "Kept" | "Revoked" = "Revoked") =>
  Effect.gen(function* () {
    const tokens = yield* Tokens
    const programs = yield* ApiTokens
    const devices = yield* Trust
    const sessions = yield* Sessions
    const session = yield* SessionCookie.current
    yield* store(user, password)
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
  }).pipe(Effect.uninterruptible)

const invalid = (name: string, message: string) =>
  FormRequest.invalid(Change, { error: message, fieldErrors: { [name]: message } })

/** Changes the password of the signed-in account by the form in this request, limited by client. */
export const change = limited(
  Effect.gen(function* () {
    const { current, password, revoke_tokens } = yield* FormRequest.read(Change)
    const { email, id } = yield* CurrentIdentity
    const problem = yield* ChosenPassword.problem({ email, id }, password)
    if (problem !== undefined) return yield* invalid("password", problem)
    const users = yield* Users
    if (!(yield* users.check(id, current))) {
      return yield* invalid("current", (yield* PageTexts.texts).validation.passwordWrong)
    }
    // The owner knows the old password: a program that works with a token goes on, unless the owner decides otherwise.
    yield* replace(id, password, revoke_tokens === undefined ? "Kept" : "Revoked")
    yield* Confirmation.renew
    yield* SecurityLog.record(id, { _tag: "PasswordChanged" })
    // The series of this device was revoked with the others, so its cookie is useless.
    yield* RememberDevice.forget
  })
)
