// The browser of a request as a device that an account has used before: its cookie, and its own budget of sign-ins.
import { HttpServerRequest } from "@effect/platform"
import { Effect, Option } from "effect"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import * as CookiePolicy from "../../../src/session/internal/CookiePolicy.ts"
import * as FamiliarPlace from "../../../src/auth/internal/FamiliarPlace.ts"
import { AccountId } from "../../../src/session/Identity.ts"
import { cookieName, cookieTtl, KnownDevices } from "../../../src/auth/internal/KnownDevices.ts"
import { RateLimit } from "../../../src/session/RateLimit.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Users } from "../../../src/auth/Users.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"

/** The cookie of this request; `undefined` without one. */
export const presented = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
  CookiePolicy.read(headers["cookie"], cookieName)
)

/** Makes the browser of this request a known device of the account. */
export const remember = Effect.fnUntraced(function* (user: AccountId) {
  const devices = yield* KnownDevices
  const { cookies } = yield* RequestState
  const value = yield* devices.remember(yield* presented, user)
  cookies.set(cookieName, CookiePolicy.lasting(cookieName, value, cookieTtl))
})

/** The device of this cookie, where the account has used it. */
export const find = (cookie: string | undefined, user: AccountId) =>
  Effect.flatMap(KnownDevices, (devices) => devices.find(cookie, user))

// Compared against for an unknown e-mail, so that timing does not reveal it.
const nobody = AccountId.make("")

const hasBeenRevoked = Effect.fnUntraced(function* (user: AccountId, since: number) {
  const events = yield* SecurityEvents
  // A stranger can fill the past of an account with failed sign-ins: what was before the device is not read.
  const { items } = yield* Effect.orDie(events.list(user, { events: FamiliarPlace.revoking, after: since }))
  return !FamiliarPlace.isTrusted(since, items)
})

/** The device of this request, where the account has used it, and nothing since then says that it may be another's. */
export const trusted = Effect.fnUntraced(function* (user: AccountId) {
  const known = yield* find(yield* presented, user)
  return Option.isSome(known) && !(yield* hasBeenRevoked(user, known.value.since)) ? known : Option.none()
})

/**
 * Whether the browser of this request may try one more password for this e-mail while strangers are over the limit. The
 * budget is the device's own, so that a copy of its cookie gives few guesses and strangers cannot use it up.
 */
export const mayStillSignIn = Effect.fnUntraced(function* (email: string) {
  if ((yield* presented) === undefined) return false
  const users = yield* Users
  const user = Option.getOrUndefined(yield* users.fetch(email))?.id ?? nobody
  const known = yield* trusted(user)
  if (Option.isNone(known)) return false
  const limits = yield* RateLimit
  return (yield* limits.hit(AuthRateLimits.rules.loginPerDevice, `${email} ${known.value.device}`)).allowed
})
