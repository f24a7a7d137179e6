// Replaces a password and revokes everything that was granted by the old one.
import { Effect, type Redacted, Schedule } from "effect"
import type { AccountId } from "../../src/auth/Identity.ts"
import { Sessions } from "../../src/auth/Session.ts"
import { Tokens } from "../../src/auth/Tokens.ts"
import { Trust } from "../../src/auth/Trust.ts"
import { Users } from "../../src/auth/Users.ts"
import * as SessionCookie from "../http/SessionCookie.ts"

// The queue for hashing may be full: retry, because the reset link is already used.
const retries = Schedule.intersect(Schedule.spaced("500 millis"), Schedule.recurs(40))

/**
 * Replaces the password, revokes every link and trusted device, ends every other session and regenerates this one.
 * Uninterruptible: a client that disconnects must not keep old sessions alive under the new password.
 */
export const replace = (user: AccountId, password: Redacted.Redacted) =>
  Effect.gen(function* () {
    const users = yield* Users
    const tokens = yield* Tokens
    const devices = yield* Trust
    const sessions = yield* Sessions
    const session = yield* SessionCookie.current
    yield* Effect.retry(users.rotate(user, password), retries)
    yield* tokens.revoke(user)
    yield* devices.revoke(user)
    yield* sessions.revoke(user, session)
    yield* session.regenerate
  }).pipe(Effect.uninterruptible)
