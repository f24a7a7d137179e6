// Ends what somebody else may hold of an account. Which of it ends when is one table in `docs/auth.md`, "What ends when".
import { Effect, Option } from "effect"
import { AccountChanges } from "../../../src/auth/internal/AccountChanges.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { LinkedIdentities } from "../../../src/auth/LinkedIdentities.ts"
import { LostFactorRequests } from "../../../src/auth/internal/LostFactorRequests.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Users } from "../../../src/auth/Users.ts"
import { Trust } from "../../../src/auth/Trust.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import { type Session, Sessions } from "../../../src/session/Session.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"

/** Ends every session, bearer and remembered device, but the given session. */
export const endSessions = Effect.fnUntraced(function* (user: AccountId, except?: Session) {
  yield* Effect.flatMap(Trust, ({ revoke }) => revoke(user))
  yield* Effect.flatMap(Sessions, ({ revoke }) => revoke(user, except))
})

/** Revokes every API token, or those that were made since this time. */
export const revokeTokens = Effect.fnUntraced(function* (user: AccountId, since?: number) {
  const { revokeAll } = yield* ApiTokens
  if ((yield* revokeAll(user, since)) > 0) yield* SecurityLog.record(user, { _tag: "TokenRevoked" })
})

const removeFactors = Effect.fnUntraced(function* (user: AccountId, since?: number) {
  yield* Effect.flatMap(Passkeys, ({ removeAll }) => removeAll(user, since))
  yield* Effect.flatMap(LinkedIdentities, ({ removeAll }) => removeAll(user, since))
  yield* Effect.flatMap(Factors, ({ removeAll }) => removeAll(user, since))
})

/**
 * Removes every passkey, linked identity, authenticator app and recovery code, or those that were added since this time, and
 * ends every session but the given one. Before the sessions end: a sign-in with one of them at this moment ends with them. And
 * after: what a session adds at this moment is removed here, or by its own request.
 */
export const endFactors = Effect.fnUntraced(function* (
  user: AccountId,
  { except, since }: { readonly except?: Session; readonly since?: number | undefined } = {}
) {
  yield* removeFactors(user, since)
  yield* endSessions(user, except)
  yield* removeFactors(user, since)
})

/** Invalidates the links that were mailed to choose a password or to verify the address. */
export const revokeLinks = (user: AccountId) =>
  Effect.flatMap(Tokens, ({ revoke }) => Effect.zipRight(revoke(user, "recovery"), revoke(user, "verification")))

/**
 * Gives the account the address back that it had at this time: whoever took it over since may have moved it to a mailbox of their
 * own, and the link to choose a password must not go there.
 */
const restoreAddress = Effect.fnUntraced(function* (user: AccountId, since: number) {
  const changes = yield* AccountChanges
  const isRestored = yield* Effect.catchTag(changes.restoreEmail(user, since), "Duplicate", () => Effect.succeed(false))
  if (isRestored) yield* SecurityLog.record(user, { _tag: "EmailChangeUndone" })
})

/** Ends a change of the address that waits, the rights to undo one, and a pending deletion. */
export const endChanges = Effect.fnUntraced(function* (user: AccountId) {
  const changes = yield* AccountChanges
  if (yield* changes.cancelDeletion(user)) yield* SecurityLog.record(user, { _tag: "DeletionCancelled" })
  yield* changes.endAll(user)
})

/**
 * Ends all that somebody else may hold of the account, or what came since this time, a change of its address included, and
 * locks its password until a reset: who knows it would sign in again at once. Nothing is hashed, so that no flood of sign-ins
 * delays it.
 */
export const endAll = Effect.fnUntraced(function* (user: AccountId, since?: number) {
  yield* Effect.flatMap(Users, (users) => users.lock(user))
  yield* revokeLinks(user)
  yield* Effect.flatMap(LostFactorRequests, (requests) => requests.cancel(user))
  yield* endFactors(user, { since })
  if (since !== undefined) yield* restoreAddress(user, since)
  // After the revocation has its number: what a session asks for at this moment ends here, or by its own request.
  yield* endChanges(user)
  yield* revokeTokens(user, since)
})

/** Makes the browser of this request a guest, where it was signed in to the account whose sessions have ended. */
export const leave = Effect.fnUntraced(function* (user: AccountId) {
  const session = yield* SessionCookie.current
  if (!Option.exists(yield* session.identity, ({ id }) => id === user)) return false
  yield* session.flush
  yield* session.regenerate
  return true
})
