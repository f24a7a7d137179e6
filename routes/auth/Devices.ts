// Signs out other devices: one session, one trusted device, or all but this one.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import { CurrentIdentity } from "../../src/auth/Identity.ts"
import { Sessions } from "../../src/auth/Session.ts"
import { Trust } from "../../src/auth/Trust.ts"
import * as SessionCookie from "../http/SessionCookie.ts"
import { requireUser } from "./Access.ts"
import { home, signOut } from "./AuthPaths.ts"
import * as Flash from "./Flash.ts"
import * as PageTexts from "./PageTexts.ts"
import * as Reply from "./Reply.ts"
import * as FormRequest from "./FormRequest.ts"
import * as RememberCookie from "./RememberCookie.ts"
import * as RememberDevice from "./RememberDevice.ts"

const OneSession = Schema.Struct({ handle: Schema.String })

const OneDevice = Schema.Struct({ selector: Schema.String })

// Both stores search the account's own rows only, and an unknown name gets the same response as an ended one.
const endSession = Effect.gen(function* () {
  const { handle } = yield* FormRequest.read(OneSession)
  const { id } = yield* CurrentIdentity
  const sessions = yield* Sessions
  yield* sessions.end(id, handle)
  return yield* Reply.redirectWithFlash(home, Flash.good((yield* PageTexts.texts).account.sessionEnded))
})

const dropDevice = Effect.gen(function* () {
  const { selector } = yield* FormRequest.read(OneDevice)
  const { id } = yield* CurrentIdentity
  const devices = yield* Trust
  yield* devices.drop(id, selector)
  return yield* Reply.redirectWithFlash(home, Flash.good((yield* PageTexts.texts).account.deviceForgotten))
})

// This device stays trusted only with a valid token: a cookie that merely names a series is not enough.
const endOthers = Effect.gen(function* () {
  const { id } = yield* CurrentIdentity
  const sessions = yield* Sessions
  const devices = yield* Trust
  const token = yield* RememberCookie.presented
  const trusted = Option.isSome(token) && (yield* devices.forget(token.value))
  yield* devices.revoke(id)
  yield* sessions.revoke(id, yield* SessionCookie.current)
  if (trusted) yield* RememberDevice.trust(id)
  return yield* Reply.redirectWithFlash(home, Flash.good((yield* PageTexts.texts).account.othersEnded))
}).pipe(Effect.uninterruptible)

/** `POST` to each of the paths, for signed-in users. */
export const routes = [
  HttpLayerRouter.route("POST", signOut.session, requireUser(endSession)),
  HttpLayerRouter.route("POST", signOut.device, requireUser(dropDevice)),
  HttpLayerRouter.route("POST", signOut.others, requireUser(endOthers))
]
