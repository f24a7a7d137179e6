// The session of a browser: begun by a sign-in or a sign-up, ended by a sign-out.
import { signIn } from "../../../src/session/internal/SessionGrants.ts"
import { Effect, Option } from "effect"
import type { Identity } from "../../../src/session/Identity.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as Confirmation from "../confirmation/Confirmation.ts"
import * as KnownDevice from "./KnownDevice.ts"
import * as PendingSession from "./PendingSession.ts"
import * as RememberDevice from "../RememberDevice.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"

/** How a session begins. */
interface Options {
  /** The revocation number at which the account was proved, where that was in an earlier request. */
  readonly asOf?: number | undefined
  /** Epoch seconds at which the person has proved who they are; now unless stated. */
  readonly provedAt?: number | undefined
}

/**
 * Signs the account in on the browser of this request, which counts as a confirmation at the time of its proof. An account that
 * was remembered before is forgotten, and so is a pending sign-in. An identity at a provider that waits for this account is linked.
 */
export const begin = Effect.fnUntraced(function* (identity: Identity, { asOf, provedAt }: Options = {}) {
  const session = yield* SessionCookie.current
  yield* PendingSession.end
  yield* session[signIn](identity, asOf)
  yield* RememberDevice.forget
  yield* KnownDevice.remember(identity.id)
  yield* Confirmation.renew(provedAt)
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
