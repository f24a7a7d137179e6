// The endpoints of the passkey button on the sign-in page, and its script.
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import * as Assets from "../../http/Assets.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import * as Respond from "../../http/Respond.ts"
import * as AccountEvents from "../internal/AccountEvents.ts"
import { passkeySignIn, signIn } from "../internal/AuthPaths.ts"
import * as Login from "../signin/Login.ts"
import * as Page from "../../session/Page.ts"
import * as PasskeySignIn from "./PasskeySignIn.ts"
import * as PasskeyView from "./PasskeyView.ts"
import * as SignIn from "../signin/SignIn.ts"

const options = Effect.map(PasskeySignIn.options, (value) => NoStore.json(value))

const submit = Effect.gen(function* () {
  const { granted } = yield* PasskeySignIn.attempt(SignIn.inBrowser)
  return yield* Login.proceed(granted)
}).pipe(
  Effect.catchTag("InvalidForm", (invalid) => Page.renderInvalid(invalid, Login.view(invalid))),
  Effect.catchTag("HookFailed", AccountEvents.refused)
)

/** `POST /login/passkey/options` and `POST /login/passkey`, limited by client, and the script. */
export const routes = [
  HttpLayerRouter.route("POST", passkeySignIn.options, options),
  HttpLayerRouter.route("POST", passkeySignIn.verify, submit),
  // Where the form was shown again, the address stays: a reload leads back.
  HttpLayerRouter.route("GET", passkeySignIn.verify, Effect.succeed(Respond.seeOther(signIn))),
  ...Assets.routes([PasskeyView.asset])
]
