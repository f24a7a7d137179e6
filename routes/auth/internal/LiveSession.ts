// What a request asks for must not outlive its session: a reset of the password may end the session while it is under way.
import { Effect } from "effect"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { Unauthenticated } from "../../../src/auth/AuthError.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"

/** Undoes what this request has made, and refuses it, when its session has ended meanwhile or the account was revoked. */
export const orElse = <A, E, R>(undo: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { id } = yield* CurrentIdentity
    const session = yield* SessionCookie.current
    if (!(yield* session.isRevoked(id)) && !(yield* session.hasEnded)) return
    yield* undo
    const { realm } = yield* AuthConfig
    return yield* new Unauthenticated({ realm })
  }).pipe(Effect.uninterruptible)

/** What follows from something that a request has made. */
interface Made<A, E, R, E2, R2> {
  /** For a session that has ended meanwhile. */
  readonly undo: (made: A) => Effect.Effect<unknown, E, R>
  readonly tell: (made: A) => Effect.Effect<void, E2, R2>
}

/**
 * Stores something for the signed-in account and tells its owner, or undoes it. Uninterruptible: a thief who hangs up in between
 * must neither keep it beyond the session nor keep the news of it from the owner.
 */
export const store = <A, E, R, E2, R2, E3, R3>(made: Effect.Effect<A, E, R>, { tell, undo }: Made<A, E2, R2, E3, R3>) =>
  Effect.gen(function* () {
    const one = yield* made
    yield* orElse(undo(one))
    yield* tell(one)
    return one
  }).pipe(Effect.uninterruptible)

/** Refuses this request when its session has ended since it was read. */
export const required = orElse(Effect.void)
