// Signs a trusted device in again when its session has ended.
import { HttpServerRequest } from "@effect/platform"
import { Effect, Option, Redacted, type Scope } from "effect"
import * as CookiePolicy from "../../src/auth/CookiePolicy.ts"
import type { AccountId } from "../../src/auth/Identity.ts"
import type { Token } from "../../src/auth/Secret.ts"
import { Sessions } from "../../src/auth/Session.ts"
import { rememberScope, AuthSettings } from "../../src/auth/AuthSettings.ts"
import { Trust } from "../../src/auth/Trust.ts"
import { Users } from "../../src/auth/Users.ts"
import { Exchange } from "../../src/http/Exchange.ts"
import * as SessionCookie from "../http/SessionCookie.ts"
import type { Guard } from "./Authentication.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The token in the cookie of this request. */
export const presented: Effect.Effect<Option.Option<Redacted.Redacted>, never, AuthSettings | Request> = Effect.gen(
  function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const { rememberName } = yield* AuthSettings
    return Option.map(Option.fromNullable(CookiePolicy.read(headers["cookie"], rememberName)), Redacted.make)
  }
)

/** Hands the device its token. */
export const emit = Effect.fnUntraced(function* (token: Token) {
  const settings = yield* AuthSettings
  const { rememberName, rememberTtl } = settings
  const { cookies } = yield* Exchange
  const value = Redacted.value(token.value)
  cookies.set(rememberName, CookiePolicy.lasting(rememberName, value, rememberTtl, rememberScope(settings)))
})

/** Takes the cookie away from the device. */
export const forget: Effect.Effect<void, never, AuthSettings | Exchange> = Effect.gen(function* () {
  const settings = yield* AuthSettings
  const { cookies } = yield* Exchange
  cookies.set(settings.rememberName, CookiePolicy.expired(settings.rememberName, rememberScope(settings)))
})

const place = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const { peer } = yield* Exchange
  return { peer, agent: headers["user-agent"] ?? "" }
})

/** Trusts the device of this request: issues a series and hands it over, unless the account was revoked meanwhile. */
export const trust = Effect.fnUntraced(function* (user: AccountId) {
  const devices = yield* Trust
  const sessions = yield* Sessions
  const { rememberTtl } = yield* AuthSettings
  const token = yield* Effect.orDie(devices.issue(user, rememberTtl, yield* place))
  // A password that was changed while this request checked the old one must not leave a device behind.
  if (yield* sessions.isRevoked(user, yield* SessionCookie.current)) yield* devices.forget(token.value)
  else yield* emit(token)
})

/** Signs this device out: drops the series it presents and takes its cookie away. */
export const dismiss = Effect.gen(function* () {
  const devices = yield* Trust
  const token = yield* presented
  if (Option.isNone(token)) return
  yield* devices.forget(token.value)
  yield* forget
})

/** What the guard needs of the program. */
export type Needs = SessionCookie.Needs | AuthSettings | Trust | Users | Scope.Scope

/** Knows whoever presents a live validator; rotates it and signs them in again. */
export const RememberGuard: Guard<Needs> = Effect.gen(function* () {
  const token = yield* presented
  if (Option.isNone(token)) return Option.none()
  const session = yield* SessionCookie.current
  const devices = yield* Trust
  const users = yield* Users
  const { rememberTtl } = yield* AuthSettings
  const revival = yield* devices.resume(token.value, yield* Exchange, rememberTtl, yield* place).pipe(
    // Only a theft clears the cookie: a lost race leaves the one that the winner is just being sent.
    Effect.catchTag("Theft", () => Effect.as(forget, Option.none()))
  )
  if (Option.isNone(revival)) return Option.none()
  const identity = yield* users.find(revival.value.token.user)
  if (Option.isNone(identity)) return Option.none()
  yield* session.signIn(identity.value, revival.value.asOf)
  yield* emit(revival.value.token)
  return identity
})
