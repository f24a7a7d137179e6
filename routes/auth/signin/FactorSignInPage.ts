// The second step of a sign-in: the code of an authenticator app, or a recovery code.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option } from "effect"
import { html } from "../../../src/http/Html.ts"
import * as MountedRoutes from "../../http/internal/MountedRoutes.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as AccountEvents from "../internal/AccountEvents.ts"
import { factorRecovery, home, loginFactor as path, passkeyFactor, signIn } from "../internal/AuthPaths.ts"
import * as FactorCode from "../factors/FactorCode.ts"
import * as LostFactorOperations from "../lostfactors/LostFactorOperations.ts"
import * as FactorSignIn from "./FactorSignIn.ts"
import * as Flash from "../../session/Flash.ts"
import * as StoredFlash from "../../session/internal/StoredFlash.ts"
import * as FormState from "../../session/FormState.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as SignInPage from "./SignInPage.ts"
import * as Page from "../../session/Page.ts"
import * as InvalidPage from "../../session/internal/InvalidPage.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as PasskeyView from "../passkeys/PasskeyView.ts"
import * as PendingSession from "./PendingSession.ts"
import * as SignInSteps from "./SignInSteps.ts"

// A passkey of the account can take the place of the code, where the program has them.
const offersPasskey = Effect.gen(function* () {
  if (!(yield* MountedRoutes.has(passkeyFactor.verify))) return false
  const pending = yield* FactorSignIn.find(yield* PendingSession.presented)
  return Option.exists(pending, ({ kinds }) => kinds.includes("passkey"))
})

/** The form for the code, and a button for passkeys. */
export const view = Effect.fnUntraced(function* (state: FormState.FormState<never> = FormState.empty) {
  const { texts, token } = yield* PageTexts.load
  const hasPasskey = yield* offersPasskey
  const canRecover = yield* LostFactorOperations.isOffered
  return {
    title: texts.loginFactor.title,
    main: html`<h1>${texts.loginFactor.title}</h1>
      <p class="faint">${texts.loginFactor.lead}</p>
      <div class="card">
        ${FormView.form({
          action: path,
          token,
          button: texts.loginFactor.button,
          fields: [FactorCode.field({ focus: "code", ...state }, texts)]
        })}
        ${hasPasskey && PasskeyView.factor(texts.passkeys, token)}
      </div>
      ${canRecover && html`<p class="below"><a href="${factorRecovery.page}">${texts.factorRecovery.link}</a></p>`}
      <p class="below"><a href="${signIn}">${texts.loginFactor.again}</a></p>`
  }
})

/** The same response for a secret that is missing, forged, expired, used up or revoked. */
export const startOver = Effect.zipRight(
  PendingSession.end,
  PageTexts.withTexts(({ loginFactor }) => StoredFlash.redirect(signIn, Flash.error(loginFactor.startOver)))
)

const open = Effect.gen(function* () {
  const session = yield* SessionCookie.current
  if (Option.isSome(yield* session.identity)) return NoStore.seeOther(home)
  const pending = yield* FactorSignIn.find(yield* PendingSession.presented)
  return Option.isNone(pending) ? yield* startOver : yield* Page.render(yield* view())
})

const submit = Effect.gen(function* () {
  const outcome = yield* FactorSignIn.withCode(yield* PendingSession.presented, SignInSteps.inBrowser)
  return outcome._tag === "StartOver" ? yield* startOver : yield* SignInPage.proceed(outcome.granted)
}).pipe(
  Effect.catchTag("InvalidForm", (invalid) => InvalidPage.render(invalid, view({ ...invalid, focus: "code" }))),
  Effect.catchTag("HookFailed", AccountEvents.refused)
)

/** `GET` and `POST /login/factor`, limited by client and by account. */
export const routes = [HttpLayerRouter.route("GET", path, open), HttpLayerRouter.route("POST", path, submit)]
