// Signs a trusted device in again when its session has ended.
import { Effect, Option, type Scope } from "effect"
import { AuthSettings } from "../../src/auth/AuthSettings.ts"
import { type Theft, Trust } from "../../src/auth/Trust.ts"
import { Users } from "../../src/auth/Users.ts"
import { Exchange } from "../../src/http/Exchange.ts"
import * as SessionCookie from "../http/SessionCookie.ts"
import type { Guard } from "./Authentication.ts"
import * as RememberCookie from "./RememberCookie.ts"
import * as SecurityLog from "./SecurityLog.ts"

type Needs = SessionCookie.Needs | AuthSettings | Trust | Users | Scope.Scope

// Only a theft clears the cookie: a concurrent response may just be setting a new one.
const endTheft = Effect.fnUntraced(function* ({ revoked, user }: Theft) {
  yield* RememberCookie.clear
  if (revoked > 0) yield* SecurityLog.record(user, { _tag: "Theft" })
})

/** Finds the account of a valid remember cookie, rotates the cookie and signs the account in. */
export const RememberGuard: Guard<Needs> = Effect.gen(function* () {
  const token = yield* RememberCookie.presented
  if (Option.isNone(token)) return Option.none()
  const session = yield* SessionCookie.current
  const devices = yield* Trust
  const users = yield* Users
  const { rememberTtl } = yield* AuthSettings
  const resumption = yield* devices
    .resume(token.value, yield* Exchange, rememberTtl, yield* RememberCookie.deviceInfo)
    .pipe(Effect.catchTag("Theft", (theft) => Effect.as(endTheft(theft), Option.none())))
  if (Option.isNone(resumption)) return Option.none()
  const identity = yield* users.find(resumption.value.token.user)
  if (Option.isNone(identity)) return Option.none()
  yield* session.signIn(identity.value, resumption.value.asOf)
  yield* RememberCookie.set(resumption.value.token)
  return identity
})
