// Trusts the device of a request at sign-in, and forgets it at sign-out.
import { Effect, Option } from "effect"
import type { AccountId } from "../../src/session/Identity.ts"
import { Trust } from "../../src/auth/Trust.ts"
import * as RememberCookie from "./internal/RememberCookie.ts"
import * as SecurityLog from "./activity/SecurityLog.ts"

/**
 * Trusts the device of this request: issues a series and sets its cookie, unless the account was revoked meanwhile.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter } from "@effect/platform"
 * import { Effect } from "effect"
 * import { Access, RememberDevice } from "effect-framework/routes/auth"
 * import { Flash, Respond } from "effect-framework/routes/session"
 * import { Identity } from "effect-framework/session"
 *
 * const trust = Effect.flatMap(Identity.CurrentIdentity, ({ id }) => RememberDevice.trust(id)).pipe(
 *   Effect.zipRight(Respond.redirectWithFlash("/account", Flash.success("You stay signed in here.")))
 * )
 *
 * const forget = Effect.zipRight(
 *   RememberDevice.forget,
 *   Respond.redirectWithFlash("/account", Flash.success("This device is forgotten."))
 * )
 *
 * // For the buttons of a page of one's own.
 * export const routes = [
 *   HttpLayerRouter.route("POST", "/device/trust", Access.requireUser(trust)),
 *   HttpLayerRouter.route("POST", "/device/forget", Access.requireUser(forget))
 * ]
 * ```
 */
export const trust = Effect.fnUntraced(function* (user: AccountId) {
  if (yield* RememberCookie.renew(user)) yield* SecurityLog.record(user, { _tag: "DeviceTrusted" })
})

/** Forgets the device of this request: deletes its series and its cookie. */
export const forget = Effect.gen(function* () {
  const devices = yield* Trust
  const token = yield* RememberCookie.presented
  if (Option.isNone(token)) return
  yield* devices.forget(token.value)
  yield* RememberCookie.clear
})
