// Signs out devices: one session, one trusted device, all but this one, or all.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Schema } from "effect"
import { requireUser } from "../Access.ts"
import * as AccountSessions from "./AccountSessions.ts"
import { home, signIn, signOut } from "../internal/AuthPaths.ts"
import * as Flash from "../../session/Flash.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as FormRequest from "../../session/FormRequest.ts"

const OneSession = Schema.Struct({ handle: Schema.String })

const OneDevice = Schema.Struct({ selector: Schema.String })

// An unknown name gets the same response as an ended one.
const endSession = Effect.gen(function* () {
  const { handle } = yield* FormRequest.read(OneSession)
  yield* AccountSessions.endSession(handle)
  return yield* Flash.redirect(home, Flash.good((yield* PageTexts.texts).account.sessionEnded))
})

const dropDevice = Effect.gen(function* () {
  const { selector } = yield* FormRequest.read(OneDevice)
  yield* AccountSessions.forgetDevice(selector)
  return yield* Flash.redirect(home, Flash.good((yield* PageTexts.texts).account.deviceForgotten))
})

const endOthers = Effect.gen(function* () {
  yield* AccountSessions.endOthers
  return yield* Flash.redirect(home, Flash.good((yield* PageTexts.texts).account.othersEnded))
})

const endAll = Effect.gen(function* () {
  yield* AccountSessions.endAll
  return yield* Flash.redirect(signIn, Flash.good((yield* PageTexts.texts).account.everywhereEnded))
})

/** `POST` to each of the paths, for signed-in users. */
export const routes = [
  HttpLayerRouter.route("POST", signOut.session, requireUser(endSession)),
  HttpLayerRouter.route("POST", signOut.device, requireUser(dropDevice)),
  HttpLayerRouter.route("POST", signOut.others, requireUser(endOthers)),
  HttpLayerRouter.route("POST", signOut.everywhere, requireUser(endAll))
]
