// The password of the signed-in user: changed, set where there is none, and removed. Whatever the old one granted is revoked,
// also by a reset.
import { Effect, type Redacted, Schedule, Schema } from "effect"
import { type AccountId, CurrentIdentity, type Identity } from "../../../src/session/Identity.ts"
import * as ChosenPassword from "./ChosenPassword.ts"
import * as AccountAccess from "../internal/AccountAccess.ts"
import * as LiveSession from "../internal/LiveSession.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as FormState from "../../session/FormState.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import * as Form from "../../../src/auth/internal/Form.ts"
import type { Event } from "../../../src/auth/SecurityEvents.ts"
import { SignInMethods } from "../../../src/auth/SignInMethods.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as Confirmation from "../confirmation/Confirmation.ts"
import * as RememberDevice from "../RememberDevice.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"

/** Whether the API tokens go on working. */
const keep_tokens = Form.Checkbox

const chosen = { password: Form.NewPassword, password_confirmation: Form.Confirmation, keep_tokens }

const First = Schema.Struct(chosen).pipe(Schema.filter(Form.passwordsMatch))

const Change = Schema.Struct({ current: Form.CurrentPassword, ...chosen }).pipe(Schema.filter(Form.passwordsMatch))

const Removal = Schema.Struct({ current: Form.CurrentPassword, keep_tokens })

const limited = RateLimit.middleware(AuthRateLimits.rules.password)

// The queue for hashing may be full: retry, because the reset link is already used.
const retries = Schedule.intersect(Schedule.spaced("500 millis"), Schedule.recurs(40))

type ApiTokens = "Kept" | "Revoked"

interface Ending {
  readonly apiTokens?: ApiTokens
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
    // Not the links that report a change: anyone who has the account must not silence what its owner was told before.
    yield* AccountAccess.revokeLinks(user)
    // Anyone who signed up with an address that is not theirs may have added ways in of their own: its owner starts alone.
    if (byLink?.isProved === false) yield* AccountAccess.endFactors(user, { except: session })
    else yield* AccountAccess.endSessions(user, session)
    // After the revocation has its number: what a session asks for at this moment ends here, or by its own request.
    if (byLink !== undefined) yield* AccountAccess.endChanges(user)
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

const invalid = <A, I>(form: Schema.Schema<A, I>, name: string, message: string) =>
  FormState.invalid(form, { error: message, fieldErrors: { [name]: message } })

const tokensOf = (keep: unknown): ApiTokens => (keep === undefined ? "Revoked" : "Kept")

/** The password that was chosen, as this account may choose it. */
const checked = Effect.fnUntraced(function* <A, I>(form: Schema.Schema<A, I>, password: Redacted.Redacted) {
  const { email, id } = yield* CurrentIdentity
  const problem = yield* ChosenPassword.problem({ email, id }, password)
  if (problem !== undefined) return yield* invalid(form, "password", problem)
  yield* RateLimit.spend(AuthRateLimits.rules.credentialsPerAccount, id)
})

interface Replacing<E, R> {
  readonly store: Effect.Effect<boolean, E, R>
  /** The choice of the form. */
  readonly keep_tokens: unknown
}

/**
 * Replaces the password of the signed-in account, and tells its owner; `false` when nothing was replaced. Uninterruptible: a thief
 * who hangs up while the new one is hashed must not keep the news from the owner.
 */
const replacing = <E, R>(event: Extract<Event["_tag"], `Password${string}`>, { keep_tokens, store }: Replacing<E, R>) =>
  Effect.gen(function* () {
    const { id } = yield* CurrentIdentity
    if (!(yield* endingAfter(id, store, { apiTokens: tokensOf(keep_tokens) }))) return false
    yield* Confirmation.renew()
    yield* SecurityLog.record(id, { _tag: event })
    // The series of this device was revoked with the others, so its cookie is useless.
    yield* RememberDevice.forget
    return true
  }).pipe(Effect.uninterruptible)

/** Changes the password of the signed-in account by the form in this request, limited by client and by account. */
export const change = limited(
  Effect.gen(function* () {
    const { current, keep_tokens, password } = yield* FormState.read(Change)
    const { id } = yield* CurrentIdentity
    yield* checked(Change, password)
    yield* RateLimit.spend(AuthRateLimits.rules.confirmPerAccount, id)
    const users = yield* Users
    const store = users.rotate(id, password, { current })
    if (yield* replacing("PasswordChanged", { store, keep_tokens })) return
    return yield* invalid(Change, "current", (yield* PageTexts.texts).validation.passwordWrong)
  })
)

// Nothing but the session has proved its owner: when it has ended meanwhile, the password goes with it.
const setFirst = Effect.fnUntraced(function* (user: AccountId, password: Redacted.Redacted) {
  const users = yield* Users
  const isSet = yield* users.rotate(user, password, { current: "none" })
  if (isSet) yield* LiveSession.orElse(users.removePassword(user, password))
  return isSet
})

/** Sets the first password of the signed-in account, limited by client. The caller has asked for a recent confirmation. */
export const set = limited(
  Effect.gen(function* () {
    const { keep_tokens, password } = yield* FormState.read(First)
    const { id } = yield* CurrentIdentity
    yield* checked(First, password)
    if (yield* replacing("PasswordSet", { store: setFirst(id, password), keep_tokens })) return
    return yield* invalid(First, "password", (yield* PageTexts.texts).methods.set.exists)
  })
)

/**
 * Removes the password of the signed-in account by the form in this request, where another way in stays; limited by client and
 * by account. It asks for the current one: anyone who could remove it without could then set another.
 */
export const remove = limited(
  Effect.gen(function* () {
    const { current, keep_tokens } = yield* FormState.read(Removal)
    const { id } = yield* CurrentIdentity
    yield* RateLimit.spend(AuthRateLimits.rules.confirmPerAccount, id)
    const users = yield* Users
    const methods = yield* SignInMethods
    const store = users.removePassword(id, current, (removed) => methods.remove(id, removed))
    if (yield* replacing("PasswordRemoved", { store, keep_tokens })) return
    return yield* invalid(Removal, "current", (yield* PageTexts.texts).validation.passwordWrong)
  })
)
