// Signs a trusted device in again when its session has ended.
import { Effect, Option, type Scope } from "effect"
import { AuthSettings } from "../../src/auth/AuthSettings.ts"
import { Trust } from "../../src/auth/Trust.ts"
import { Users } from "../../src/auth/Users.ts"
import { Exchange } from "../../src/http/Exchange.ts"
import * as SessionCookie from "../http/SessionCookie.ts"
import type { Guard } from "./Authentication.ts"
import * as RememberCookie from "./RememberCookie.ts"

/** What the guard needs of the program. */
export type Needs = SessionCookie.Needs | AuthSettings | Trust | Users | Scope.Scope

/** Knows whoever presents a live validator; rotates it and signs them in again. */
export const RememberGuard: Guard<Needs> = Effect.gen(function* () {
  const token = yield* RememberCookie.presented
  if (Option.isNone(token)) return Option.none()
  const session = yield* SessionCookie.current
  const devices = yield* Trust
  const users = yield* Users
  const { rememberTtl } = yield* AuthSettings
  const revival = yield* devices
    .resume(token.value, yield* Exchange, rememberTtl, yield* RememberCookie.deviceInfo)
    .pipe(
      // Only a theft clears the cookie: a lost race leaves the one that the winner is just being sent.
      Effect.catchTag("Theft", () => Effect.as(RememberCookie.clear, Option.none()))
    )
  if (Option.isNone(revival)) return Option.none()
  const identity = yield* users.find(revival.value.token.user)
  if (Option.isNone(identity)) return Option.none()
  yield* session.signIn(identity.value, revival.value.asOf)
  yield* RememberCookie.set(revival.value.token)
  return identity
})
