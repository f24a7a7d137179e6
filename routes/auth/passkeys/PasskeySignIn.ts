// Sign-in with a passkey, without a name or a password: the same hooks, events and counts as with a password. The passkey
// has verified the person, so that no further factor is asked for.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Redacted, Schema } from "effect"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import * as Form from "../../../src/auth/internal/Form.ts"
import { Passkeys, type Visit } from "../../../src/auth/Passkeys.ts"
import type { PasskeyRefused } from "../../../src/auth/internal/passkeys/PasskeyRules.ts"
import * as AuthMetrics from "../../../src/auth/internal/AuthMetrics.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as FactorCode from "../factors/FactorCode.ts"
import * as FormState from "../../session/FormState.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"
import * as SignInSteps from "../signin/SignInSteps.ts"
import * as Assets from "../../http/Assets.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import * as TextResponse from "../../http/internal/TextResponse.ts"
import * as AccountEvents from "../internal/AccountEvents.ts"
import { passkeySignIn, signIn } from "../internal/AuthPaths.ts"
import * as SignInPage from "../signin/SignInPage.ts"
import * as InvalidPage from "../../session/internal/InvalidPage.ts"
import * as PasskeyView from "./PasskeyView.ts"

/** The form that the script sends. */
const Response = Schema.Struct({ credential: Schema.Redacted(Schema.String), remember: Form.Checkbox })

/** The options for any passkey of this site, limited by client. They are the same for everyone but for the challenge. */
export const optionsFor = <R>(visit: Effect.Effect<Visit, never, R>) =>
  RateLimit.middleware(AuthRateLimits.rules.passkeyOptions)(
    Effect.gen(function* () {
      const passkeys = yield* Passkeys
      return yield* passkeys.requestOptions(yield* visit)
    })
  )

const options = optionsFor(SessionCookie.current)

/** Logs a counter that went back: there may be a copy of the passkey. */
const warn = ({ reason, user }: PasskeyRefused): Effect.Effect<void> =>
  reason === "counter"
    ? Effect.annotateLogs(Effect.logWarning("The counter of a passkey went back"), { account: user })
    : Effect.void

/** Whether a passkey was accepted, for a proof of which only that counts. */
export const isAccepted = <A, R>(verified: Effect.Effect<A, PasskeyRefused, R>) =>
  verified.pipe(
    Effect.as(true),
    Effect.catchTag("PasskeyRefused", (refused) => Effect.as(warn(refused), false))
  )

// One message for every reason: a visitor learns nothing of an account or a passkey.
const refuse = Effect.fnUntraced(function* (refused: PasskeyRefused) {
  yield* warn(refused)
  if (refused.user !== undefined) yield* SecurityLog.record(refused.user, { _tag: "SignInFailed" })
  yield* AuthMetrics.recordSignIn("failure")
  return yield* SignInSteps.refuse(Response, (yield* PageTexts.texts).passkeys.refused)
})

/** Signs in with the passkey in this request, whose challenge this visit has asked for; limited by client. */
export const attempt = <A, R, R2>(visit: Effect.Effect<Visit, never, R2>, grant: SignInSteps.Grant<A, R>) =>
  Effect.gen(function* () {
    const { credential, remember } = yield* FormState.read(Response)
    const passkeys = yield* Passkeys
    const { identity } = yield* Effect.catchTag(
      passkeys.verify(yield* visit, Redacted.value(credential)),
      "PasskeyRefused",
      refuse
    )
    yield* FactorCode.endLostFactorRequest(identity.id)
    const signedIn = yield* SignInSteps.finish(Response, identity, { remember: remember !== undefined }, grant)
    yield* SecurityLog.record(identity.id, { _tag: "SignedIn", by: "passkey" })
    return signedIn
  }).pipe(RateLimit.middleware(AuthRateLimits.rules.passkey), SignInSteps.counted)

const sendOptions = Effect.map(options, (value) => NoStore.json(value))

const submit = Effect.gen(function* () {
  const { granted } = yield* attempt(SessionCookie.current, SignInSteps.inBrowser)
  return yield* SignInPage.proceed(granted)
}).pipe(
  Effect.catchTag("InvalidForm", (invalid) => InvalidPage.render(invalid, SignInPage.view(invalid))),
  Effect.catchTag("HookFailed", AccountEvents.refused)
)

/** `POST /login/passkey/options` and `POST /login/passkey`, limited by client, and the script. */
export const routes = [
  HttpLayerRouter.route("POST", passkeySignIn.options, sendOptions),
  HttpLayerRouter.route("POST", passkeySignIn.verify, submit),
  // Where the form was shown again, the address stays: a reload leads back.
  HttpLayerRouter.route("GET", passkeySignIn.verify, Effect.succeed(TextResponse.seeOther(signIn))),
  ...Assets.routes([PasskeyView.asset])
]
