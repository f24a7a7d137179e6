// Sign-out: ends this session and forgets this device.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option } from "effect"
import * as SessionCookie from "../http/SessionCookie.ts"
import { signIn } from "./AuthPaths.ts"
import { toSignIn } from "./Authentication.ts"
import * as Flash from "./Flash.ts"
import * as PageTexts from "./PageTexts.ts"
import * as Reply from "./Reply.ts"
import * as RememberDevice from "./RememberDevice.ts"

const submit = Effect.gen(function* () {
  const session = yield* SessionCookie.current
  const identity = yield* session.identity
  // Also for a guest: after an expired session the device must not sign in again by itself.
  yield* RememberDevice.forget
  if (Option.isNone(identity)) return yield* toSignIn(signIn)
  yield* session.flush
  yield* session.regenerate
  return yield* Reply.redirectWithFlash(signIn, Flash.good((yield* PageTexts.texts).login.signedOut))
})

/** `POST /logout`. */
export const routes = [HttpLayerRouter.route("POST", "/logout", submit)]
