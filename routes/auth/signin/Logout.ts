// Sign-out: ends this session and forgets this device.
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import { signIn } from "../internal/AuthPaths.ts"
import { toSignIn } from "../Authentication.ts"
import * as BrowserSession from "./BrowserSession.ts"
import * as Flash from "../../session/Flash.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as Reply from "../../session/Reply.ts"

const submit = Effect.gen(function* () {
  if (!(yield* BrowserSession.end)) return yield* toSignIn(signIn)
  return yield* Reply.redirectWithFlash(signIn, Flash.good((yield* PageTexts.texts).login.signedOut))
})

/** `POST /logout`. */
export const routes = [HttpLayerRouter.route("POST", "/logout", submit)]
