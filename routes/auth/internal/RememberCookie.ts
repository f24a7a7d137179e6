// The remember cookie: reads it from a request, sets and clears it on the response, and renews the device behind it.
import { HttpServerRequest } from "@effect/platform"
import { Context, Effect, Option, Redacted } from "effect"
import * as CookiePolicy from "../../../src/session/internal/CookiePolicy.ts"
import type { Token } from "../../../src/auth/Tokens.ts"
import { Trust } from "../../../src/auth/Trust.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import { parse } from "../../../src/session/internal/SplitToken.ts"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"

type Request = HttpServerRequest.HttpServerRequest

/** What reading the cookie needs. */
export type Needs = AuthConfig | Request

const valueOf = (services: Context.Context<Needs>): string | undefined => {
  const { headers } = Context.get(services, HttpServerRequest.HttpServerRequest)
  return CookiePolicy.read(headers["cookie"], Context.get(services, AuthConfig).rememberName)
}

/** The token in the cookie of this request; `None` without one. */
export const presented: Effect.Effect<
  Option.Option<Redacted.Redacted>,
  never,
  AuthConfig | Request
> = RequestServices.read((services: Context.Context<Needs>) =>
  Option.map(Option.fromNullable(valueOf(services)), Redacted.make)
)

/** The selector of that token, which is no secret; `undefined` without a well-formed one. */
export const selectorOf = (services: Context.Context<Needs>): string | undefined =>
  parse(valueOf(services) ?? "")?.selector

/** Sets the cookie to this token. */
export const set = Effect.fnUntraced(function* (token: Token) {
  const settings = yield* AuthConfig
  const { rememberName, rememberTtl } = settings
  const { cookies } = yield* RequestState
  const value = Redacted.value(token.value)
  cookies.set(
    rememberName,
    CookiePolicy.lasting(rememberName, value, rememberTtl, CookiePolicy.rememberScope(settings))
  )
})

/** Deletes the cookie. */
export const clear: Effect.Effect<void, never, AuthConfig | RequestState> = Effect.gen(function* () {
  const settings = yield* AuthConfig
  const { cookies } = yield* RequestState
  cookies.set(settings.rememberName, CookiePolicy.expired(settings.rememberName, CookiePolicy.rememberScope(settings)))
})

/** The device of this request, for the list that its owner reads. */
export const deviceInfo = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const { clientAddress: peer } = yield* RequestState
  return { address: peer, userAgent: headers["user-agent"] ?? "" }
})

/** Trusts a device that was trusted before; `false` when the account was revoked meanwhile. */
export const renew = Effect.fnUntraced(function* (user: AccountId) {
  const devices = yield* Trust
  const { rememberTtl } = yield* AuthConfig
  const token = yield* Effect.orDie(devices.issue(user, rememberTtl, yield* deviceInfo))
  // A password that was changed while this request checked the old one must not leave a trusted device.
  if (yield* (yield* SessionCookie.current).isRevoked(user)) {
    yield* devices.forget(token.value)
    return false
  }
  yield* set(token)
  return true
})
