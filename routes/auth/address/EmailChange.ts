// A new e-mail address, for the page and for the API: proved at the new address, told and undoable at the old one.
import { Data, Duration, Effect, Option, type Redacted, Schema } from "effect"
import { AccountChanges, type Restored } from "../../../src/auth/internal/AccountChanges.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import * as Form from "../../../src/auth/internal/Form.ts"
import { CurrentIdentity, type Identity } from "../../../src/session/Identity.ts"
import type { Session } from "../../../src/session/Session.ts"
import { Users } from "../../../src/auth/Users.ts"
import { AfterResponse } from "../../../src/http/AfterResponse.ts"
import * as Mailer from "../../../src/mail/Mailer.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as AccountAccess from "../internal/AccountAccess.ts"
import * as AccountMail from "../internal/AccountMail.ts"
import * as FormState from "../../session/FormState.ts"
import * as LiveSession from "../internal/LiveSession.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"

const Wanted = Schema.Struct({ email: Form.Email })

/** How long the old address can be restored. */
const undoTtl = Duration.days(7)

const limited = RateLimit.middleware(AuthRateLimits.rules.emailChange)

/** The limit of links that one client opens. */
export const limitedLinks = RateLimit.middleware(AuthRateLimits.rules.verify)

// The change waits for its link in both cases: its owner must not see from it that the address has an account.
const link = Effect.fnUntraced(function* ({ id }: Identity, email: string, session: Session) {
  const changes = yield* AccountChanges
  const users = yield* Users
  const { verificationTtl: ttl } = yield* AuthConfig
  const isTaken = Option.isSome(yield* users.fetch(email))
  const message = Effect.gen(function* () {
    const token = yield* Effect.orDie(changes.requestEmail(id, email, ttl))
    return yield* isTaken
      ? AccountMail.compose("emailTaken", { to: email })
      : AccountMail.compose("emailChange", { to: email, token: token.value, ttl })
  })
  yield* Mailer.sendOrLog(message)
  // A password that was reset meanwhile ends this session, and with it what the session asked for.
  if (yield* session.isRevoked(id)) yield* changes.cancelEmail(id)
})

// One response for an address with and without an account: only its mailbox is told.
const send = Effect.fnUntraced(function* (identity: Identity, email: string, session: Session) {
  const { emailChangePerAccount, emailChangePerAddress } = AuthRateLimits.rules
  if (!(yield* AccountMail.withinLimit(emailChangePerAccount, identity.id))) return
  if (!(yield* AccountMail.withinLimit(emailChangePerAddress, email))) return
  yield* link(identity, email, session)
})

/** Sends a link to the new address in this request, limited by client, account and address; returns the address. */
export const request = limited(
  Effect.gen(function* () {
    const { email } = yield* FormState.read(Wanted)
    const identity = yield* CurrentIdentity
    if (email === identity.email) {
      const { same: error } = (yield* PageTexts.texts).emailChange
      return yield* FormState.invalid(Wanted, { error, fieldErrors: { email: error } })
    }
    const session = yield* SessionCookie.current
    // The number first: a revocation that comes later is noticed by it, an earlier one has ended the session.
    yield* session.trackRevocations
    yield* LiveSession.required
    yield* SecurityLog.record(identity.id, { _tag: "EmailChangeRequested" })
    const afterResponse = yield* AfterResponse
    yield* afterResponse.run(send(identity, email, session))
    return email
  })
)

/** The address of the signed-in account, and the change that waits for its link. */
export const overview = Effect.gen(function* () {
  const { email, id } = yield* CurrentIdentity
  const pending = yield* Effect.flatMap(AccountChanges, ({ pendingEmail }) => pendingEmail(id))
  return { email, pending: Option.getOrNull(pending) }
})

/** Cancels the change of the signed-in account that waits for its link; `false` when there is none. */
export const cancel = Effect.gen(function* () {
  const { id } = yield* CurrentIdentity
  const isCancelled = yield* Effect.flatMap(AccountChanges, ({ cancelEmail }) => cancelEmail(id))
  if (isCancelled) yield* SecurityLog.record(id, { _tag: "EmailChangeCancelled" })
  return isCancelled
}).pipe(Effect.uninterruptible)

/** The address that the token of a link stands for, a change only for the signed-in account; consumes nothing. */
export const find = {
  email: Effect.fnUntraced(function* (token: Redacted.Redacted) {
    const { id } = yield* CurrentIdentity
    const found = yield* Effect.flatMap(AccountChanges, (changes) => changes.find(token, "email"))
    return Option.map(
      Option.filter(found, ({ user }) => user === id),
      ({ email }) => email
    )
  }),
  undo: (token: Redacted.Redacted) =>
    Effect.map(
      Effect.flatMap(AccountChanges, (changes) => changes.find(token, "undo")),
      Option.map(({ email }) => email)
    )
}

class Gone extends Data.TaggedError("Gone") {}

const change = Effect.fnUntraced(function* (token: Redacted.Redacted) {
  const changes = yield* AccountChanges
  const changed = yield* changes.changeEmail(token, undoTtl)
  if (Option.isNone(changed)) return yield* new Gone()
  yield* SecurityLog.record(changed.value.user.id, { _tag: "EmailChanged" })
  return changed.value
})

const undoMessage = Effect.fnUntraced(function* ({
  previous: to,
  undo
}: Effect.Effect.Success<ReturnType<typeof change>>) {
  // An address that was proved stays so.
  const { value: token } = yield* Effect.orDie(undo)
  return yield* AccountMail.compose("emailUndo", { to, token, ttl: undoTtl })
})

/**
 * Makes the change of the signed-in account and sends the old address a link to undo it, if that was verified; `false` for a
 * token that is invalid, expired or another account's, which stays as it is.
 */
export const redeem = Effect.fnUntraced(function* (token: Redacted.Redacted) {
  if (Option.isNone(yield* find.email(token))) return false
  const { email, id, verified } = yield* CurrentIdentity
  yield* RateLimit.spend(AuthRateLimits.rules.credentialsPerAccount, id)
  // Over the limit the change waits: its message is never left out.
  if (verified) yield* RateLimit.spend(AuthRateLimits.rules.noticesPerRecipient, email)
  const told = verified
    ? Mailer.sendOrLog(Effect.flatMap(change(token), undoMessage))
    : Effect.flatMap(change(token), (changed) =>
        // Proved at this moment.
        Option.isSome(changed.undo) ? Mailer.sendOrLog(undoMessage(changed)) : Effect.void
      )
  return yield* told.pipe(
    Effect.as(true),
    Effect.catchTag("Gone", () => Effect.succeed(false)),
    Effect.uninterruptible
  )
})

// Anyone who took the account over knows its password, and may have added a passkey or an authenticator app since.
const expel = Effect.fnUntraced(function* ({ since, user: { id } }: Restored) {
  // This is a transaction, which blocks other writers: a hash that waits in its queue would stop all of them.
  yield* Effect.flatMap(Users, ({ lock }) => lock(id))
  yield* AccountAccess.endFactors(id, { since })
  yield* AccountAccess.revokeTokens(id)
  yield* SecurityLog.record(id, { _tag: "EmailChangeUndone" })
})

/**
 * Restores the old address, ends every session, device and API token and the password, and sends a link to choose a new one;
 * `false` for a token that is invalid or expired.
 */
export const undo = Effect.fnUntraced(function* (token: Redacted.Redacted) {
  const changes = yield* AccountChanges
  const restored = yield* changes.undoEmail(token, expel)
  if (Option.isNone(restored)) return false
  const { user } = restored.value
  yield* AccountAccess.leave(user.id)
  yield* AccountMail.post("recovery", user)
  return true
}, Effect.uninterruptible)
