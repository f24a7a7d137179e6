// Signs a trusted device in again when its session has ended.
import { Effect, Option, type Scope } from "effect"
import { AuthSettings } from "../../src/auth/AuthSettings.ts"
import { Trust } from "../../src/auth/Trust.ts"
import { Users } from "../../src/auth/Users.ts"
import { Exchange } from "../../src/http/Exchange.ts"
import * as SessionCookie from "../http/SessionCookie.ts"
import type { Guard } from "./Authentication.ts"
import * as RememberCookie from "./RememberCookie.ts"

type Needs = SessionCookie.Needs | AuthSettings | Trust | Users | Scope.Scope

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
    .pipe(
      // Only a theft clears the cookie: a concurrent response may just be setting a new one.
      Effect.catchTag("Theft", () => Effect.as(RememberCookie.clear, Option.none()))
    )
  if (Option.isNone(resumption)) return Option.none()
  const identity = yield* users.find(resumption.value.token.user)
  if (Option.isNone(identity)) return Option.none()
  yield* session.signIn(identity.value, resumption.value.asOf)
  yield* RememberCookie.set(resumption.value.token)
  return identity
})
