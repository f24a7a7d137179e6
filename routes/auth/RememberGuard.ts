// Signs a trusted device in again when its session has ended, or asks it for the second factor where its owner wants that.
import { Effect, Option } from "effect"
import { AuthSettings } from "../../src/auth/AuthSettings.ts"
import { PendingSignIns } from "../../src/auth/internal/PendingSignIns.ts"
import { type Theft, Trust } from "../../src/auth/Trust.ts"
import { Users } from "../../src/auth/Users.ts"
import { RequestState } from "../../src/http/internal/RequestState.ts"
import * as SessionCookie from "../session/internal/SessionCookie.ts"
import type { Guard } from "./Authentication.ts"
import * as PendingSession from "./signin/PendingSession.ts"
import * as RememberCookie from "./internal/RememberCookie.ts"
import * as SecurityLog from "./activity/SecurityLog.ts"

type Needs = SessionCookie.Needs | SecurityLog.Needs | PendingSignIns | Trust

// Without a rotation: the device waits for its factor already.
const isWaiting = Effect.gen(function* () {
  const secret = yield* PendingSession.presented
  if (Option.isNone(secret)) return false
  return Option.isSome(yield* Effect.flatMap(PendingSignIns, ({ find }) => find(secret.value)))
})

// Only a theft clears the cookie: a concurrent response may just be setting a new one.
const endTheft = Effect.fnUntraced(function* ({ revoked, user }: Theft) {
  yield* RememberCookie.clear
  if (revoked > 0) yield* SecurityLog.record(user, { _tag: "Theft" })
})

/** Finds the account of a valid remember cookie, rotates the cookie and signs the account in. */
export const RememberGuard: Guard<Needs> = Effect.gen(function* () {
  const token = yield* RememberCookie.presented
  if (Option.isNone(token) || (yield* isWaiting)) return Option.none()
  const session = yield* SessionCookie.current
  const devices = yield* Trust
  const users = yield* Users
  const { rememberTtl } = yield* AuthSettings
  const resumption = yield* devices
    .resume(token.value, yield* RequestState, rememberTtl, yield* RememberCookie.deviceInfo)
    .pipe(Effect.catchTag("Theft", (theft) => Effect.as(endTheft(theft), Option.none())))
  if (Option.isNone(resumption)) return Option.none()
  const identity = yield* users.find(resumption.value.token.user)
  if (Option.isNone(identity)) return Option.none()
  yield* RememberCookie.set(resumption.value.token)
  const { asOf } = resumption.value
  const pending = yield* Effect.flatMap(PendingSignIns, ({ resume }) => resume(identity.value.id, asOf))
  if (Option.isSome(pending)) return yield* Effect.as(PendingSession.keep(pending.value), Option.none())
  yield* session.signIn(identity.value, asOf)
  return identity
})
