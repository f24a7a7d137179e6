// Recent confirmation, for the page and for the API: the session keeps when its owner last proved who they are, by the
// password or by a factor of the account.
import { Effect, Option, type Redacted, Schema } from "effect"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import { ConfirmationRequired } from "../../../src/auth/AuthError.ts"
import * as Expiry from "../../../src/auth/internal/Expiry.ts"
import * as Form from "../../../src/auth/internal/Form.ts"
import { type AccountId, CurrentIdentity } from "../../../src/session/Identity.ts"
import type { Event } from "../../../src/auth/SecurityEvents.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { resumed, sessionKey } from "../../../src/auth/internal/providers/ProviderFlows.ts"
import { SignInMethods } from "../../../src/auth/SignInMethods.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as FormFields from "../../http/internal/FormFields.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as MountedRoutes from "../../http/internal/MountedRoutes.ts"
import * as Texts from "../../http/Texts.ts"
import { confirm as path, passkeyConfirm } from "../internal/AuthPaths.ts"
import * as FactorCode from "../factors/FactorCode.ts"
import * as FormState from "../../session/FormState.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as PendingIdentity from "../providers/PendingIdentity.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"

const Current = Schema.Struct({ current: Form.CurrentPassword })

type By = Extract<Event, { readonly _tag: "Confirmed" }>["by"]

/** What a session holds that begins with a confirmation: now, or when the person has proved who they are before. */
export const initial = (provedAt?: number) =>
  EpochSeconds.use((now) => Effect.succeed({ [Expiry.confirmationKey]: String(Math.min(now, provedAt ?? now)) }))

/** Whether the session of this request was confirmed recently. */
export const isRecent = Effect.gen(function* () {
  const { confirmationTtl } = yield* AuthConfig
  const session = yield* SessionCookie.current
  const stored = yield* session.get(Expiry.confirmationKey)
  const isSignedIn = Option.isSome(yield* session.identity)
  return isSignedIn && Expiry.isConfirmed(Option.getOrUndefined(stored), yield* EpochSeconds.seconds, confirmationTtl)
})

/**
 * Marks the session of this request as confirmed: now, or when the person has proved who they are before. Only a signed-in one: a
 * guest's data is in their cookie. What waits for the owner of the account is done once the confirmation is recent.
 */
export const renew = Effect.fnUntraced(function* (provedAt?: number) {
  const session = yield* SessionCookie.current
  const identity = yield* session.identity
  if (Option.isNone(identity)) return
  const { [Expiry.confirmationKey]: time } = yield* initial(provedAt)
  yield* session.set(Expiry.confirmationKey, time)
  // An identity must not be added by whoever finds the session of another provider open.
  if (yield* isRecent) yield* PendingIdentity.connect(identity.value)
})

/** The refusal of a request that needs a confirmation first. */
export const refusal = Effect.map(
  Texts.of(AuthTexts),
  ({ confirm }) => new ConfirmationRequired({ error: confirm.required, confirm: path })
)

/** Fails when the session of this request was not confirmed recently. */
export const required = Effect.flatMap(isRecent, (isDone) => (isDone ? Effect.void : Effect.flip(refusal)))

/** The limit of confirmations by client. */
export const limited = RateLimit.middleware(AuthRateLimits.rules.confirm)

/** What an account can confirm by, besides its providers. A passkey does where it follows no password, too. */
export const waysOf = Effect.fnUntraced(function* (user: AccountId) {
  const { kinds } = yield* Effect.flatMap(Factors, ({ required }) => required(user))
  const { passkeys, password } = yield* Effect.flatMap(SignInMethods, ({ list }) => list(user))
  return {
    hasPassword: password === "set",
    hasCode: kinds.includes("totp"),
    hasPasskey: passkeys > 0 && (yield* MountedRoutes.has(passkeyConfirm.verify))
  }
})

/** One way to confirm. */
interface Way<A, I, E, R> {
  /** The form of this request, for a refusal. */
  readonly form: Schema.Schema<A, I>
  /** What is tried, for the record. */
  readonly by: By
  /** Proves it for this account. */
  readonly prove: (user: AccountId) => Effect.Effect<boolean, E, R>
  /** Why it is refused. */
  readonly problem: Parameters<typeof FormState.invalid>[1]
}

/** Confirms the session when the proof succeeds, limited by account. The id of the session changes. */
export const attempt = <A, I, E, R>({ by, form, problem, prove }: Way<A, I, E, R>) =>
  Effect.gen(function* () {
    const { id } = yield* CurrentIdentity
    yield* RateLimit.spend(AuthRateLimits.rules.confirmPerAccount, id)
    if (!(yield* prove(id))) {
      yield* SecurityLog.record(id, { _tag: "Confirmed", by }, { outcome: "failure" })
      return yield* FormState.invalid(form, problem)
    }
    if (by !== "password") yield* FactorCode.endLostFactorRequest(id)
    const session = yield* SessionCookie.current
    yield* session.regenerate
    // Its owner is here: it no longer rests on the device alone.
    if (Option.contains(yield* session.get(sessionKey), resumed)) yield* session.pull(sessionKey)
    yield* renew()
    yield* SecurityLog.record(id, { _tag: "Confirmed", by })
  })

const byPassword = Effect.gen(function* () {
  const { current } = yield* FormState.read(Current)
  const users = yield* Users
  const { passwordWrong: error } = (yield* PageTexts.texts).validation
  return yield* attempt({
    form: Current,
    by: "password",
    prove: (user) => users.check(user, current),
    problem: { error, fieldErrors: { current: error } }
  })
})

// A code counts against the limits of the second step of a sign-in: a stolen session gives no further tries.
const proveCode = (code: Redacted.Redacted) =>
  Effect.fnUntraced(function* (user: AccountId) {
    const used = yield* FactorCode.check(user, code)
    if (Option.contains(used, "recovery")) yield* FactorCode.recordRecovery(user)
    return Option.isSome(used)
  })

const byCode = Effect.gen(function* () {
  const { code } = yield* FormState.read(FactorCode.Form)
  const { wrong: error } = (yield* PageTexts.texts).loginFactor
  const by = FactorCode.kindOf(code) === "recovery" ? "recovery_code" : "totp"
  const problem = { error, fieldErrors: { code: error } }
  return yield* attempt({ form: FactorCode.Form, by, prove: proveCode(code), problem })
}).pipe(RateLimit.middleware(AuthRateLimits.rules.factor))

/**
 * Confirms the session by the password in this request, or by a code of an authenticator app or a recovery code where there
 * is no password; limited by client and by account. The id of the session changes.
 */
export const submit = limited(
  Effect.gen(function* () {
    const fields = yield* FormFields.read
    if (fields.has("code") && !fields.has("current")) yield* byCode
    else yield* byPassword
  })
)
