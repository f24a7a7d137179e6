// Trusts the device of a request at sign-in, and forgets it at sign-out.
import { Effect, Option } from "effect"
import type { AccountId } from "../../src/session/Identity.ts"
import { AuthConfig } from "../../src/auth/AuthConfig.ts"
import { Trust } from "../../src/auth/Trust.ts"
import * as SessionCookie from "../session/internal/SessionCookie.ts"
import * as RememberCookie from "./internal/RememberCookie.ts"
import * as SecurityLog from "./activity/SecurityLog.ts"

/** Trusts the device of this request: issues a series and sets its cookie, unless the account was revoked meanwhile. */
export const trust = Effect.fnUntraced(function* (user: AccountId) {
  if (yield* renew(user)) yield* SecurityLog.record(user, { _tag: "DeviceTrusted" })
})

/** Trusts a device that was trusted before; `false` when the account was revoked meanwhile. */
export const renew = Effect.fnUntraced(function* (user: AccountId) {
  const devices = yield* Trust
  const { rememberTtl } = yield* AuthConfig
  const token = yield* Effect.orDie(devices.issue(user, rememberTtl, yield* RememberCookie.deviceInfo))
  // A password that was changed while this request checked the old one must not leave a trusted device.
  if (yield* (yield* SessionCookie.current).isRevoked(user)) {
    yield* devices.forget(token.value)
    return false
  }
  yield* RememberCookie.set(token)
  return true
})

/** Forgets the device of this request: deletes its series and its cookie. */
export const forget = Effect.gen(function* () {
  const devices = yield* Trust
  const token = yield* RememberCookie.presented
  if (Option.isNone(token)) return
  yield* devices.forget(token.value)
  yield* RememberCookie.clear
})
