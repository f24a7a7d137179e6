// Sign-in with e-mail and password, for the page and for the API: the same rules, limits, events and counts. An account
// with a second factor has no session after this step: the sign-in is pending.
import { Effect, Option, Schema } from "effect"
import * as Form from "../../../src/auth/internal/Form.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import type { Identity } from "../../../src/session/Identity.ts"
import { openBearer } from "../../../src/session/internal/SessionGrants.ts"
import { Sessions } from "../../../src/session/Session.ts"
import * as Confirmation from "../confirmation/Confirmation.ts"
import * as ReturnTo from "../../../src/session/internal/ReturnTo.ts"
import * as AuthMetrics from "../../../src/auth/internal/AuthMetrics.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import { challenge } from "../../../src/http/internal/Authorization.ts"
import { Overloaded } from "../../../src/auth/Password.ts"
import { PendingSignIns } from "../../../src/auth/internal/PendingSignIns.ts"
import { sessionKey } from "../../../src/auth/internal/providers/ProviderFlows.ts"
import * as ProviderMetrics from "../../../src/auth/internal/providers/ProviderMetrics.ts"
import { Users } from "../../../src/auth/Users.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as AccountEvents from "../internal/AccountEvents.ts"
import * as BrowserSession from "./BrowserSession.ts"
import * as FormState from "../../session/FormState.ts"
import * as KnownDevice from "./KnownDevice.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as PendingSession from "./PendingSession.ts"
import * as RememberDevice from "../RememberDevice.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"

const Credentials = Schema.Struct({ email: Form.Email, password: Form.CurrentPassword, remember: Form.Checkbox })

const limited = RateLimit.middleware(AuthRateLimits.rules.login)

/** Refuses what should have proved the account: 401, with the challenge of the realm. */
export const refuse = Effect.fnUntraced(function* <A, I>(form: Schema.Schema<A, I>, error: string) {
  const { realm } = yield* AuthConfig
  const { headers } = yield* RequestState
  headers.set("www-authenticate", challenge(realm))
  return yield* FormState.invalid(form, { status: 401, error })
})

// One message for an unknown e-mail and a wrong password, so that neither is revealed.
const refusal = PageTexts.withTexts(({ login }) => refuse(Credentials, login.refused))

const runHook = <A, I>(form: Schema.Schema<A, I>, identity: Identity) =>
  Effect.flatMap(AccountEvents.within("signIn"), (hook) =>
    hook === undefined
      ? Effect.void
      : hook(identity).pipe(
          Effect.catchTag("HookFailed", AccountEvents.refusedForm),
          // A hook may know none of the fields.
          Effect.catchTag("InvalidForm", ({ error, fieldErrors, status }) =>
            FormState.invalid(form, { error, fieldErrors, status })
          )
        )
  )

/** Counts what keeps a password or a factor from being checked. */
export const counted = <A, E, R>(attempt: Effect.Effect<A, E, R>) =>
  Effect.tapError(attempt, (error) => {
    if (error instanceof RateLimit.TooManyRequests) return AuthMetrics.recordSignIn("limited")
    return error instanceof Overloaded ? AuthMetrics.recordSignIn("unavailable") : Effect.void
  })

/** What is known of a sign-in besides its account. */
interface Proof {
  /** Whether the device is to be trusted. */
  readonly remember: boolean
  /** The revocation number at which the password was checked, where that was in an earlier request. */
  readonly asOf?: number
  /** The handle of the linked identity that has proved the account: the session ends with it. */
  readonly via?: string | undefined
  /** Epoch seconds at which the person has proved who they are; now unless stated. */
  readonly provedAt?: number | undefined
}

/** What a complete sign-in gives to the client: a session of its kind. */
export type Grant<A, R> = (identity: Identity, proof: Proof) => Effect.Effect<A, never, R>

/** Everything that happens once an account has proved itself: the hooks, the session, the counts. */
export const finish = <A, I, B, R>(form: Schema.Schema<A, I>, identity: Identity, proof: Proof, grant: Grant<B, R>) =>
  Effect.gen(function* () {
    // Before there is a session: a failure leaves the visitor signed out.
    yield* Effect.tapError(runHook(form, identity), () => AuthMetrics.recordSignIn("refused"))
    const granted = yield* grant(identity, proof)
    yield* AccountEvents.afterwards("signIn", identity)
    yield* AuthMetrics.recordSignIn("success")
    return { _tag: "SignedIn" as const, identity, granted }
  })

// Nothing of the account is reachable by a pending sign-in, and no hook has run.
const hold = Effect.fnUntraced(function* ({ id }: Identity, { by, provider, remember, via }: Means) {
  const { isLocked, kinds } = yield* Effect.flatMap(Factors, ({ required }) => required(id))
  if (kinds.length === 0) return Option.none()
  // Somebody who knows the password has guessed codes on and on: it is useless to strangers until it is reset.
  if (isLocked && Option.isNone(yield* KnownDevice.trusted(id))) {
    yield* SecurityLog.record(id, { _tag: "SignInFailed" })
    return yield* Effect.zipRight(AuthMetrics.recordSignIn("failure"), refusal)
  }
  const request = yield* SessionCookie.current
  const token = yield* Effect.flatMap(PendingSignIns, ({ begin }) => begin(id, { remember, request }))
  if (by !== "password") yield* PendingSession.note(token, { by, via, provider })
  yield* AuthMetrics.recordSignIn("pending")
  yield* ProviderMetrics.recordBy(provider, "second_factor")
  return Option.some({ _tag: "Pending" as const, token, kinds })
})

/** How an account has proved itself. */
interface Means extends PendingSession.Proof {
  readonly remember: boolean
  readonly provedAt?: number | undefined
  /** Whether that counts as a second factor as well. */
  readonly hasSecondFactor?: boolean
}

/** Signs an account in that has proved itself by these means, or leaves the sign-in pending for its second factor. */
export const complete = <A, I, B, R>(form: Schema.Schema<A, I>, identity: Identity, means: Means, grant: Grant<B, R>) =>
  Effect.gen(function* () {
    const { by, hasSecondFactor = by === "passkey", provedAt, provider, remember, via } = means
    const pending = hasSecondFactor ? Option.none() : yield* hold(identity, means)
    if (Option.isSome(pending)) return pending.value
    const signedIn = yield* finish(form, identity, { remember, via, provedAt }, grant)
    yield* ProviderMetrics.recordBy(provider, "signed_in")
    yield* SecurityLog.record(identity.id, { _tag: "SignedIn", by })
    return signedIn
  }).pipe(Effect.tapError(() => ProviderMetrics.recordBy(means.provider, "refused")))

/** Signs in with the credentials in this request, or leaves the sign-in pending; limited by client and by account. */
export const attempt = <A, R>(grant: Grant<A, R>) =>
  Effect.gen(function* () {
    const { email, password, remember } = yield* FormState.read(Credentials)
    // Strangers who use up the account's limit do not lock its owner out of a device that the account knows.
    yield* RateLimit.spend(AuthRateLimits.rules.loginPerAccount, email, KnownDevice.mayStillSignIn(email))
    const users = yield* Users
    const identity = yield* users.verify(email, password)
    if (Option.isNone(identity)) {
      // After the response, the lookup too: timing reveals nothing.
      yield* SecurityLog.recordLater(users.fetch(email), { _tag: "SignInFailed" })
      return yield* Effect.zipRight(AuthMetrics.recordSignIn("failure"), refusal)
    }
    return yield* complete(Credentials, identity.value, { by: "password", remember: remember !== undefined }, grant)
  }).pipe(limited, counted)

/** Grants a session in the browser, and returns the page that was requested before the sign-in. */
export const inBrowser = Effect.fnUntraced(function* (identity: Identity, { asOf, provedAt, remember, via }: Proof) {
  const session = yield* SessionCookie.current
  // First: the data of another account do not outlive the sign-in.
  const target = yield* session.pull(ReturnTo.key)
  yield* BrowserSession.begin(identity, { asOf, provedAt })
  if (via !== undefined) yield* session.set(sessionKey, via)
  // What has begun an earlier session of this browser; a pending sign-in keeps what has begun it.
  else if (asOf === undefined) yield* session.pull(sessionKey)
  if (remember) yield* RememberDevice.trust(identity.id)
  return Option.flatMapNullable(target, ReturnTo.parse)
})

/** Grants a session to a client without cookies; `None` when the account was revoked meanwhile. */
export const byBearer = Effect.fnUntraced(function* (identity: Identity, { asOf, provedAt, via }: Partial<Proof> = {}) {
  const sessions = yield* Sessions
  const data = { ...(yield* Confirmation.initial(provedAt)), ...(via !== undefined && { [sessionKey]: via }) }
  return yield* sessions[openBearer](identity, yield* SessionCookie.current, asOf, data)
})
