// The second step of a sign-in, for the page and for the API: a pending sign-in and the proof of a factor become a session.
import { Effect, Option, type Redacted, type Schema } from "effect"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import type { FactorKind } from "../../../src/auth/internal/factors/FactorRules.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import { type PendingSignIn, PendingSignIns } from "../../../src/auth/internal/PendingSignIns.ts"
import * as AuthMetrics from "../../../src/auth/internal/AuthMetrics.ts"
import * as ProviderMetrics from "../../../src/auth/internal/providers/ProviderMetrics.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as FactorCode from "../factors/FactorCode.ts"
import * as FormState from "../../session/FormState.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"
import * as PendingSession from "./PendingSession.ts"
import * as SignInSteps from "./SignInSteps.ts"

const eventNames = { totp: "totp", recovery: "recovery_code", passkey: "passkey" } as const

const limited = RateLimit.middleware(AuthRateLimits.rules.factor)

/** The secret is unknown, expired, used up or revoked: the sign-in begins from the start. One value for all of them. */
const startOver = { _tag: "StartOver" } as const

/** The pending sign-in of a secret, and what can complete it; `None` when there is none. Counts nothing. */
export const find = Effect.fnUntraced(function* (presented: Option.Option<Redacted.Redacted>) {
  if (Option.isNone(presented)) return Option.none()
  const found = yield* Effect.flatMap(PendingSignIns, (pending) => pending.find(presented.value))
  if (Option.isNone(found)) return Option.none()
  const { kinds } = yield* Effect.flatMap(Factors, (factors) => factors.required(found.value.user))
  return Option.some({ ...found.value, kinds })
})

/** How a factor ends a pending sign-in. */
interface Options<A, I, E, R, B, R2> {
  /** The form of this request, for a refusal. */
  readonly form: Schema.Schema<A, I>
  readonly presented: Option.Option<Redacted.Redacted>
  /** The kind of factor that is tried, for the record. */
  readonly kind: FactorKind
  /** Proves the factor for this account. A proof must not work twice. */
  readonly prove: (user: AccountId) => Effect.Effect<boolean, E, R>
  /** What a wrong one is refused with. */
  readonly wrong: (texts: Effect.Effect.Success<typeof PageTexts.texts>) => string
  /** Gives the client a session of its kind. */
  readonly grant: SignInSteps.Grant<B, R2>
}

/**
 * Completes a pending sign-in: counts the try in its row before anything is checked, proves the factor, ends the row, runs
 * the hooks and grants the session. A wrong factor fails with an `InvalidForm` of 401, and `StartOver` comes back once no
 * try is left. Limited by client; a one-time code has further [budgets](FactorCode.check).
 */
export const attempt = <A, I, E, R, B, R2>({
  form,
  grant,
  kind,
  presented,
  prove,
  wrong
}: Options<A, I, E, R, B, R2>) =>
  Effect.gen(function* () {
    if (Option.isNone(presented)) return startOver
    const secret = presented.value
    const pending = yield* PendingSignIns
    const tried = yield* pending.spend(secret)
    if (Option.isNone(tried)) return startOver
    if (!(yield* prove(tried.value.user))) {
      yield* AuthMetrics.recordSignIn("factor_failure")
      yield* SecurityLog.record(tried.value.user, { _tag: "FactorFailed", factor: eventNames[kind] })
      if (tried.value.triesLeft > 0) return yield* SignInSteps.refuse(form, wrong(yield* PageTexts.texts))
      // Whoever began this sign-in knows the password.
      if (Option.isSome(yield* pending.complete(secret))) {
        yield* SecurityLog.record(tried.value.user, { _tag: "SecondStepExhausted" })
      }
      return startOver
    }
    yield* FactorCode.endLostFactorRequest(tried.value.user)
    const completed = yield* pending.complete(secret)
    if (Option.isNone(completed)) return startOver
    return yield* signIn(completed.value, yield* PendingSession.noted(secret), kind, form, grant)
  }).pipe(limited, SignInSteps.counted)

const signIn = Effect.fnUntraced(function* <A, I, B, R>(
  { asOf, remember, user }: PendingSignIn,
  { by, provider, via }: PendingSession.Proof,
  factor: FactorKind,
  form: Schema.Schema<A, I>,
  grant: SignInSteps.Grant<B, R>
) {
  const users = yield* Users
  const identity = yield* users.findById(user)
  if (Option.isNone(identity)) return startOver
  if (factor === "recovery") yield* FactorCode.recordRecovery(user)
  const signedIn = yield* SignInSteps.finish(form, identity.value, { remember, asOf, via }, grant).pipe(
    Effect.tapError(() => ProviderMetrics.recordBy(provider, "refused"))
  )
  yield* ProviderMetrics.recordBy(provider, "signed_in")
  yield* SecurityLog.record(user, { _tag: "SignedIn", by, factor: eventNames[factor] })
  return signedIn
})

/** Completes a pending sign-in with the code in this request. */
export const withCode = <B, R>(presented: Option.Option<Redacted.Redacted>, grant: SignInSteps.Grant<B, R>) =>
  Effect.gen(function* () {
    const { code } = yield* FormState.read(FactorCode.Form)
    const prove = (user: AccountId) => Effect.map(FactorCode.check(user, code), Option.isSome)
    return yield* attempt({
      form: FactorCode.Form,
      kind: FactorCode.kindOf(code),
      presented,
      prove,
      wrong: ({ loginFactor }) => loginFactor.wrong,
      grant
    })
  })
