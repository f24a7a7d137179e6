// A passkey as the second factor: it completes a sign-in whose password was right, in the place of a code.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option, Redacted, Schema } from "effect"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import * as Respond from "../../http/Respond.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as Throttle from "../../session/Throttle.ts"
import * as AccountEvents from "../internal/AccountEvents.ts"
import { loginFactor, passkeyFactor } from "../internal/AuthPaths.ts"
import * as FactorSignIn from "../signin/FactorSignIn.ts"
import * as FormRequest from "../../session/FormRequest.ts"
import * as Login from "../signin/Login.ts"
import * as LoginFactor from "../signin/LoginFactor.ts"
import * as Page from "../../session/Page.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as PasskeySignIn from "./PasskeySignIn.ts"
import * as PendingSession from "../signin/PendingSession.ts"
import * as SignIn from "../signin/SignIn.ts"

const Response = Schema.Struct({ credential: Schema.Redacted(Schema.String) })

// For the script of the page, which reads a refusal as JSON, too.
const options = Throttle.limited(AuthRateLimits.rules.passkeyOptions)(
  Effect.gen(function* () {
    const pending = yield* FactorSignIn.find(yield* PendingSession.presented)
    if (Option.isNone(pending)) {
      yield* PendingSession.end
      return NoStore.json({ error: (yield* PageTexts.texts).loginFactor.startOver }, 410)
    }
    const passkeys = yield* Passkeys
    const asked = yield* passkeys.requestOptions(yield* SessionCookie.current, pending.value.user)
    return NoStore.json(asked)
  })
)

// The password was of this account: a passkey of another one proves nothing here.
const prove = (credential: Redacted.Redacted) =>
  Effect.fnUntraced(function* (user: AccountId) {
    const passkeys = yield* Passkeys
    const session = yield* SessionCookie.current
    return yield* PasskeySignIn.isAccepted(passkeys.verify(session, Redacted.value(credential), user))
  })

const submit = Effect.gen(function* () {
  const { credential } = yield* FormRequest.read(Response)
  const outcome = yield* FactorSignIn.attempt({
    form: Response,
    kind: "passkey",
    presented: yield* PendingSession.presented,
    prove: prove(credential),
    grant: SignIn.inBrowser
  })
  return outcome._tag === "StartOver" ? yield* LoginFactor.startOver : yield* Login.proceed(outcome.granted)
}).pipe(
  Effect.catchTag("InvalidForm", (invalid) =>
    // The words of a wrong code are not those of a passkey; a hook has its own.
    PageTexts.withTexts(({ passkeys: { refused } }) =>
      Page.renderInvalid(invalid.status === 401 ? { status: 401, error: refused } : invalid, LoginFactor.view())
    )
  ),
  Effect.catchTag("HookFailed", AccountEvents.refused)
)

/** `POST /login/factor/passkey/options` and `POST /login/factor/passkey`, limited as the code of the other factors is. */
export const routes = [
  HttpLayerRouter.route("POST", passkeyFactor.options, options),
  HttpLayerRouter.route("POST", passkeyFactor.verify, submit),
  HttpLayerRouter.route("GET", passkeyFactor.verify, Effect.succeed(Respond.seeOther(loginFactor)))
]
