// The recovery of an account whose owner has lost every factor: the password and the mailbox together, after a delay in which
// anyone who has a factor, or reads the mailbox, can stop it.
import { Data, Duration, Effect, Option, type Redacted, Schema } from "effect"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import { DueLostFactorRequests } from "../../../src/auth/internal/AccountWorkers.ts"
import { LostFactorRequests, type LostFactorRequest } from "../../../src/auth/internal/LostFactorRequests.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import * as Form from "../../../src/auth/internal/Form.ts"
import type { AccountId, Identity } from "../../../src/session/Identity.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { PendingSignIns } from "../../../src/auth/internal/PendingSignIns.ts"
import { Users } from "../../../src/auth/Users.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import { Mailer } from "../../../src/mail/Mailer.ts"
import * as MountedRoutes from "../../http/internal/MountedRoutes.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import { factorRecovery } from "../internal/AuthPaths.ts"
import * as AccountAccess from "../internal/AccountAccess.ts"
import * as AccountMail from "../internal/AccountMail.ts"
import * as FactorSignIn from "../signin/FactorSignIn.ts"
import * as FormState from "../../session/FormState.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import type { Language } from "../../../src/http/Languages.ts"
import * as Words from "../../../src/http/internal/text/Words.ts"

/** Whether this program sends the links of recoveries, and has the pages for them. */
export const isOffered: Effect.Effect<boolean> = Effect.gen(function* () {
  const worker = yield* Effect.serviceOption(DueLostFactorRequests)
  return Option.isSome(worker) && (yield* MountedRoutes.has(factorRecovery.page))
})

/** The account of a pending sign-in; `None` when the sign-in begins from the start. */
const userOf = Effect.fnUntraced(function* (presented: Option.Option<Redacted.Redacted>) {
  const pending = yield* FactorSignIn.find(presented)
  if (Option.isNone(pending)) return Option.none()
  return yield* Effect.flatMap(Users, ({ findById }) => findById(pending.value.user))
})

/**
 * The recovery of the account of a pending sign-in, and whether one can be asked for; `None` when the sign-in begins from the
 * start.
 */
export const current = Effect.fnUntraced(function* (presented: Option.Option<Redacted.Redacted>) {
  const owner = yield* userOf(presented)
  if (Option.isNone(owner)) return Option.none()
  const recovery = yield* Effect.flatMap(LostFactorRequests, ({ find }) => find(owner.value.id))
  return Option.some({ recovery, isVerified: owner.value.verified })
})

const secondsLeft = Effect.fnUntraced(function* (until: number) {
  const now = yield* EpochSeconds.seconds
  return Duration.seconds(Math.max(1, until - now))
})

class Nothing extends Data.TaggedError("Nothing") {}

/** Sends the link that completes a recovery which is ready; `false` when there is none. A failed delivery fails. */
export const sendLink = Effect.fnUntraced(function* (user: AccountId, options?: { readonly again: boolean }) {
  const { announce } = yield* LostFactorRequests
  const mailer = yield* Mailer
  const message = Effect.gen(function* () {
    const announced = yield* announce(user, options)
    if (Option.isNone(announced)) return yield* new Nothing()
    const { request: recovery, token } = announced.value
    const ttl = yield* secondsLeft(recovery.expires)
    const { email: to, language: asked } = recovery
    return yield* AccountMail.compose("factorRecoveryReady", { to, token: token.value, ttl, asked })
  })
  return yield* mailer.sendFrom(message).pipe(
    Effect.as(true),
    Effect.catchTag("Nothing", () => Effect.succeed(false))
  )
}, Effect.uninterruptible)

// The recovery and its message are stored together, or neither: a recovery of which nobody is told must not go on.
const open = Effect.fnUntraced(function* (owner: Identity) {
  const recoveries = yield* LostFactorRequests
  const mailer = yield* Mailer
  const { factorRecoveryDelay: ttl } = yield* AuthConfig
  const message = Effect.gen(function* () {
    const { cancel, request: recovery } = yield* recoveries.request(owner, ttl, { language: yield* AccountMail.asked })
    if (Option.isNone(cancel)) return yield* new Nothing()
    yield* SecurityLog.record(owner.id, { _tag: "FactorRecoveryRequested", ready: recovery.ready })
    return yield* AccountMail.compose("factorRecovery", { to: owner.email, token: cancel.value.value, ttl })
  })
  yield* mailer.sendFrom(message).pipe(
    Effect.catchTag("Nothing", () => Effect.void),
    Effect.tapErrorTag("MailDeliveryError", () => recoveries.cancel(owner.id))
  )
}, Effect.uninterruptible)

const Nobody = Schema.Struct({})

// The mailer may accept it in a minute.
const undelivered = Effect.gen(function* () {
  const { headers } = yield* RequestState
  headers.set("retry-after", "60")
  const { undelivered: error } = (yield* PageTexts.texts).factorRecovery
  return yield* FormState.invalid(Nobody, { status: 503, error })
})

/** Where the secret of a pending sign-in is read from. */
type Presented<E, R> = Effect.Effect<Option.Option<Redacted.Redacted>, E, R>

/**
 * Opens a recovery for the account of a pending sign-in, or sends the link again of one that is ready; limited by client and
 * by account. `None` when the sign-in begins from the start.
 */
export const request = <E, R>(presented: Presented<E, R>) =>
  Effect.gen(function* () {
    const owner = yield* userOf(yield* presented)
    if (Option.isNone(owner)) return Option.none()
    const { id } = owner.value
    const { factorRecovery: texts } = yield* PageTexts.texts
    if (!owner.value.verified) return yield* FormState.invalid(Nobody, { status: 403, error: texts.unverified })
    yield* RateLimit.spend(AuthRateLimits.rules.factorRecoveryPerAccount, id)
    const { find } = yield* LostFactorRequests
    const isReady = Option.exists(yield* find(id), ({ state }) => state === "Ready")
    yield* (isReady ? sendLink(id, { again: true }) : open(owner.value)).pipe(
      Effect.catchTags({
        MailDeliveryError: (error) => Effect.zipRight(Effect.logWarning(error.message), undelivered),
        InvalidAddress: Effect.die
      })
    )
    return yield* find(id)
  }).pipe(RateLimit.middleware(AuthRateLimits.rules.factorRecovery))

/** The limit of links that one client opens or cancels. */
export const limitedLinks = RateLimit.middleware(AuthRateLimits.rules.factorRecoveryLink)

/** Ends the recovery of a link, and the sign-ins that wait; `false` for a link that is invalid or expired. */
export const cancel = Effect.fnUntraced(function* (link: Redacted.Redacted) {
  const { cancelBy } = yield* LostFactorRequests
  const user = yield* cancelBy(link)
  if (Option.isNone(user)) return false
  yield* Effect.flatMap(PendingSignIns, ({ revoke }) => revoke(user.value))
  yield* SecurityLog.record(user.value, { _tag: "FactorRecoveryCancelled", by: "link" })
  return true
}, Effect.uninterruptible)

/** The form of the link in the second message. */
const Completion = Schema.Struct({ password: Form.CurrentPassword, passkeys: Form.Checkbox })

class Superseded extends Data.TaggedError("Superseded") {}

const removeAll = Effect.fnUntraced(function* (user: AccountId, withPasskeys: boolean) {
  // The password was changed while this request checked the old one.
  if (yield* (yield* SessionCookie.current).isRevoked(user)) return yield* new Superseded()
  yield* Effect.flatMap(Factors, (factors) => factors.removeAll(user))
  const passkeys = withPasskeys ? yield* Effect.flatMap(Passkeys, (keys) => keys.removeAll(user)) : 0
  yield* AccountAccess.endSessions(user)
  yield* SecurityLog.record(user, { _tag: "FactorRecoveryCompleted", passkeys })
})

/**
 * Completes the recovery of a link with the password in this request: removes every factor, and the passkeys where they are
 * said to be lost, and ends every session and trusted device. `false` for a link that is invalid or expired. The password has
 * the limits of a sign-in.
 */
export const complete = <E, R>(presented: Effect.Effect<Redacted.Redacted, E, R>) =>
  Effect.gen(function* () {
    const link = yield* presented
    const recoveries = yield* LostFactorRequests
    const users = yield* Users
    const found = yield* recoveries.owner(link, "complete")
    if (!Option.exists(found, ({ state }) => state === "Ready") || Option.isNone(found)) return false
    const { email, user } = found.value
    const { passkeys, password } = yield* FormState.read(Completion)
    // A client without cookies has no token to check, which does this elsewhere.
    yield* Effect.flatMap(SessionCookie.current, ({ trackRevocations }) => trackRevocations)
    yield* RateLimit.spend(AuthRateLimits.rules.loginPerAccount, email)
    if (!(yield* users.check(user, password))) {
      yield* SecurityLog.record(user, { _tag: "SignInFailed" })
      const { passwordWrong: error } = (yield* PageTexts.texts).validation
      return yield* FormState.invalid(Completion, { error, fieldErrors: { password: error } })
    }
    const done = recoveries.complete(link, (owner) => removeAll(owner, passkeys !== undefined))
    const completed = yield* Effect.tap(
      done,
      Option.match({ onNone: () => Effect.void, onSome: AccountAccess.leave })
    ).pipe(
      Effect.catchTag("Superseded", () => Effect.succeedNone),
      Effect.uninterruptible
    )
    return Option.isSome(completed)
  }).pipe(RateLimit.middleware(AuthRateLimits.rules.login))

const stateOf = ({ ready, state }: LostFactorRequest) =>
  ({ state: state === "Ready" ? "ready" : "waiting", ready }) as const

/** What a person reads of it. */
export const sentence = ({ ready, state }: LostFactorRequest, { locale, texts }: Language): string => {
  const { factorRecovery: own } = texts(AuthTexts)
  return state === "Ready" ? own.ready : own.waiting(Words.moment(new Date(ready * 1000), locale))
}

/** What a client reads of it after it was asked for. */
export const told = (recovery: LostFactorRequest, language: Language) => ({
  message: sentence(recovery, language),
  ...stateOf(recovery)
})

interface Current {
  readonly recovery: Option.Option<LostFactorRequest>
  readonly isVerified: boolean
}

/** What a client reads before it asks for one. */
export const overview = ({ isVerified, recovery }: Current) => ({
  ...Option.match(recovery, { onNone: () => ({ state: "none" }) as const, onSome: stateOf }),
  available: isVerified
})
