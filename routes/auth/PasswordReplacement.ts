// A new password, and the end of all that the old one opened.
import { Effect, type Redacted, Schedule } from "effect"
import type { AccountId } from "../../src/auth/Identity.ts"
import { Sessions } from "../../src/auth/Session.ts"
import { Tokens } from "../../src/auth/Tokens.ts"
import { Trust } from "../../src/auth/Trust.ts"
import { Users } from "../../src/auth/Users.ts"
import * as SessionCookie from "../http/SessionCookie.ts"

// Whoever comes here has proved who they are, and a reset link is spent by then: a full line is worth waiting in.
const patience = Schedule.intersect(Schedule.spaced("500 millis"), Schedule.recurs(40))

/**
 * Replaces the password, drops every link and trusted device, ends every other session and gives this one a new id. Not
 * to be cut short: a client that hangs up must not keep the old sessions alive under the new password.
 */
export const replace = (user: AccountId, password: Redacted.Redacted) =>
  Effect.gen(function* () {
    const users = yield* Users
    const tokens = yield* Tokens
    const devices = yield* Trust
    const sessions = yield* Sessions
    const session = yield* SessionCookie.current
    yield* Effect.retry(users.rotate(user, password), patience)
    yield* tokens.revoke(user)
    yield* devices.revoke(user)
    yield* sessions.revoke(user, session)
    yield* session.regenerate
  }).pipe(Effect.uninterruptible)
