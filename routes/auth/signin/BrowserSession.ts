// The session of a browser: begun by a sign-in or a sign-up, ended by a sign-out.
import { signIn } from "../../../src/session/internal/SessionGrants.ts"
import { Effect, Option } from "effect"
import type { Identity } from "../../../src/session/Identity.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as Confirmation from "../confirmation/Confirmation.ts"
import * as KnownDevice from "./KnownDevice.ts"
import * as PendingSession from "./PendingSession.ts"
import * as PendingIdentity from "../providers/PendingIdentity.ts"
import * as RememberDevice from "../RememberDevice.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"

/**
 * Signs the account in on the browser of this request, which counts as a confirmation. An account that was remembered before
 * is forgotten, and so is a pending sign-in. An identity at a provider that waits for this account is linked.
 */
export const begin = Effect.fnUntraced(function* (identity: Identity, asOf?: number) {
  const session = yield* SessionCookie.current
  yield* PendingSession.end
  yield* session[signIn](identity, asOf)
  yield* Confirmation.renew
  yield* RememberDevice.forget
  yield* KnownDevice.remember(identity.id)
  yield* PendingIdentity.connect(identity)
})

/** Ends the session and forgets the device; `false` when nobody was signed in. */
export const end = Effect.gen(function* () {
  const session = yield* SessionCookie.current
  const identity = yield* session.identity
  // Also for a guest: after an expired session the device must not sign in again by itself.
  yield* RememberDevice.forget
  yield* PendingSession.end
  if (Option.isNone(identity)) return false
  yield* session.flush
  yield* session.regenerate
  yield* SecurityLog.record(identity.value.id, { _tag: "SignedOut" })
  return true
})
