// A passkey in the place of a code or of the password: it completes a sign-in whose password was right, or confirms who is
// signed in.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option, Redacted, Schema } from "effect"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { type AccountId, CurrentIdentity } from "../../../src/session/Identity.ts"
import { Passkeys, type Visit } from "../../../src/auth/Passkeys.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import * as TextResponse from "../../http/internal/TextResponse.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as AccountEvents from "../internal/AccountEvents.ts"
import { confirm, loginFactor, passkeyConfirm, passkeyFactor } from "../internal/AuthPaths.ts"
import * as FactorSignIn from "../signin/FactorSignIn.ts"
import * as FormState from "../../session/FormState.ts"
import * as SignInPage from "../signin/SignInPage.ts"
import * as FactorSignInPage from "../signin/FactorSignInPage.ts"
import * as InvalidPage from "../../session/internal/InvalidPage.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as PasskeySignIn from "./PasskeySignIn.ts"
import * as PendingSession from "../signin/PendingSession.ts"
import * as SignInSteps from "../signin/SignInSteps.ts"
import { requireUser } from "../Access.ts"
import * as ConfirmationPage from "../confirmation/ConfirmationPage.ts"
import * as Confirmation from "../confirmation/Confirmation.ts"

const Response = Schema.Struct({ credential: Schema.Redacted(Schema.String) })

const optionsFor = <R>(visit: Effect.Effect<Visit, never, R>, user: AccountId) =>
  Effect.gen(function* () {
    const passkeys = yield* Passkeys
    return yield* passkeys.requestOptions(yield* visit, user)
  })

const limitedOptions = RateLimit.middleware(AuthRateLimits.rules.passkeyOptions)

/** What a browser needs to complete this pending sign-in, limited by client; `None` without one. */
export const pendingOptions = <R>(visit: Effect.Effect<Visit, never, R>, presented: Option.Option<Redacted.Redacted>) =>
  limitedOptions(
    Effect.flatMap(
      FactorSignIn.find(presented),
      Option.match({
        onNone: () => Effect.succeedNone,
        onSome: ({ user }) => Effect.asSome(optionsFor(visit, user))
      })
    )
  )

// For the script of the page, which reads a refusal as JSON, too.
const options = Effect.gen(function* () {
  const found = yield* pendingOptions(SessionCookie.current, yield* PendingSession.presented)
  if (Option.isSome(found)) return NoStore.json(found.value)
  yield* PendingSession.end
  return NoStore.json({ error: (yield* PageTexts.texts).loginFactor.startOver }, 410)
})

// A passkey of another account proves nothing here.
const prove = <R>(visit: Effect.Effect<Visit, never, R>, credential: Redacted.Redacted) =>
  Effect.fnUntraced(function* (user: AccountId) {
    const passkeys = yield* Passkeys
    return yield* PasskeySignIn.isAccepted(passkeys.verify(yield* visit, Redacted.value(credential), user))
  })

/** Completes a pending sign-in with the passkey in this request, whose challenge this visit has asked for. */
export const complete = <A, R, R2>(
  visit: Effect.Effect<Visit, never, R2>,
  presented: Option.Option<Redacted.Redacted>,
  grant: SignInSteps.Grant<A, R>
) =>
  Effect.gen(function* () {
    const { credential } = yield* FormState.read(Response)
    return yield* FactorSignIn.attempt({
      form: Response,
      kind: "passkey",
      presented,
      prove: prove(visit, credential),
      wrong: ({ passkeys }) => passkeys.refused,
      grant
    })
  })

const submit = Effect.gen(function* () {
  const presented = yield* PendingSession.presented
  const outcome = yield* complete(SessionCookie.current, presented, SignInSteps.inBrowser)
  return outcome._tag === "StartOver" ? yield* FactorSignInPage.startOver : yield* SignInPage.proceed(outcome.granted)
}).pipe(
  Effect.catchTag("InvalidForm", (invalid) => InvalidPage.render(invalid, FactorSignInPage.view())),
  Effect.catchTag("HookFailed", AccountEvents.refused)
)

/** `POST /login/factor/passkey/options` and `POST /login/factor/passkey`, limited as the code of the other factors is. */
export const routes = [
  HttpLayerRouter.route("POST", passkeyFactor.options, options),
  HttpLayerRouter.route("POST", passkeyFactor.verify, submit),
  HttpLayerRouter.route("GET", passkeyFactor.verify, Effect.succeed(TextResponse.seeOther(loginFactor)))
]

/** What a browser needs to confirm with a passkey of the signed-in account, limited by client. */
export const confirmOptions = limitedOptions(
  Effect.flatMap(CurrentIdentity, ({ id }) => optionsFor(SessionCookie.current, id))
)

/** Confirms the session by the passkey in this request, limited by client and by account. The id of the session changes. */
export const confirmed = Effect.gen(function* () {
  const { credential } = yield* FormState.read(Response)
  yield* Confirmation.attempt({
    form: Response,
    by: "passkey",
    prove: prove(SessionCookie.current, credential),
    problem: { error: (yield* PageTexts.texts).passkeys.refused }
  })
}).pipe(Confirmation.limited)

const submitConfirmation = Effect.zipRight(confirmed, ConfirmationPage.proceed).pipe(
  Effect.catchTag("InvalidForm", ConfirmationPage.refuse)
)

/** `POST /confirm/passkey/options` and `POST /confirm/passkey`, for signed-in users, limited by client and by account. */
export const confirmRoutes = [
  HttpLayerRouter.route(
    "POST",
    passkeyConfirm.options,
    requireUser(Effect.map(confirmOptions, (value) => NoStore.json(value)))
  ),
  HttpLayerRouter.route("POST", passkeyConfirm.verify, requireUser(submitConfirmation)),
  // Where the page was shown again, the address stays: a reload leads back.
  HttpLayerRouter.route("GET", passkeyConfirm.verify, Effect.succeed(TextResponse.seeOther(confirm)))
]
