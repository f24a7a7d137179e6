// A passkey as the confirmation of who is signed in, in the place of the password.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Redacted, Schema } from "effect"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import * as Respond from "../../http/Respond.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as Throttle from "../../session/Throttle.ts"
import { requireUser } from "../Access.ts"
import { confirm, passkeyConfirm } from "../internal/AuthPaths.ts"
import * as Confirm from "../confirmation/Confirm.ts"
import * as Confirmation from "../confirmation/Confirmation.ts"
import * as FormRequest from "../../session/FormRequest.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as PasskeySignIn from "./PasskeySignIn.ts"

const Response = Schema.Struct({ credential: Schema.Redacted(Schema.String) })

const options = Throttle.limited(AuthRateLimits.rules.passkeyOptions)(
  Effect.gen(function* () {
    const { id } = yield* CurrentIdentity
    const passkeys = yield* Passkeys
    const asked = yield* passkeys.requestOptions(yield* SessionCookie.current, id)
    return NoStore.json(asked)
  })
)

const attempt = Effect.gen(function* () {
  const { credential } = yield* FormRequest.read(Response)
  const passkeys = yield* Passkeys
  const session = yield* SessionCookie.current
  yield* Confirmation.attempt({
    form: Response,
    by: "passkey",
    // A passkey of another account proves nothing here.
    prove: (user) => PasskeySignIn.isAccepted(passkeys.verify(session, Redacted.value(credential), user)),
    problem: { error: (yield* PageTexts.texts).passkeys.refused }
  })
})

const submit = Effect.zipRight(Confirmation.limited(attempt), Confirm.proceed).pipe(
  Effect.catchTag("InvalidForm", Confirm.refuse)
)

/** `POST /confirm/passkey/options` and `POST /confirm/passkey`, for signed-in users, limited by client and by account. */
export const routes = [
  HttpLayerRouter.route("POST", passkeyConfirm.options, requireUser(options)),
  HttpLayerRouter.route("POST", passkeyConfirm.verify, requireUser(submit)),
  // Where the page was shown again, the address stays: a reload leads back.
  HttpLayerRouter.route("GET", passkeyConfirm.verify, Effect.succeed(Respond.seeOther(confirm)))
]
