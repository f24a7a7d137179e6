// The page of the sign-in, optionally remembered on this device, and the sign-out.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option } from "effect"
import { html } from "../../../src/http/Html.ts"
import * as MountedRoutes from "../../http/internal/MountedRoutes.ts"
import * as AccountEvents from "../internal/AccountEvents.ts"
import { requireGuest } from "../Access.ts"
import { home, loginFactor, passkeySignIn, signIn as path, withProvider } from "../internal/AuthPaths.ts"
import * as Flash from "../../session/Flash.ts"
import * as AccountFields from "../internal/AccountFields.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as PasskeyView from "../passkeys/PasskeyView.ts"
import * as PendingIdentity from "../providers/PendingIdentity.ts"
import * as ProviderButtons from "../providers/ProviderButtons.ts"
import * as PendingSession from "./PendingSession.ts"
import * as Respond from "../../session/Respond.ts"
import * as FormState from "../../session/FormState.ts"
import * as SignInSteps from "./SignInSteps.ts"
import { toSignIn } from "../Authentication.ts"
import * as BrowserSession from "./BrowserSession.ts"

/** The form, and a button for passkeys where the program has them and the browser too. */
export const view = Effect.fnUntraced(function* (state: FormState.FormState<"email" | "remember"> = FormState.empty) {
  const { texts, token } = yield* PageTexts.load
  const waiting = Option.filter(yield* PendingIdentity.current, ({ account }) => account !== undefined)
  const connecting = Option.getOrUndefined(
    Option.map(waiting, ({ label, name }) => texts.providers.connect(name, label))
  )
  const buttons = yield* ProviderButtons.view(yield* ProviderButtons.offered, {
    token,
    action: withProvider,
    label: texts.providers.signIn,
    or: texts.providers.or,
    // With the checkbox that keeps people signed in.
    form: "sign-in"
  })
  const hasPasskeys = yield* MountedRoutes.has(passkeySignIn.verify)
  return {
    title: texts.login.title,
    main: html`<h1>${texts.login.title}</h1>
      ${connecting !== undefined && html`<p class="notice" role="status">${connecting}</p>`}
      <div class="card">
        ${FormView.form({
          action: path,
          id: "sign-in",
          token,
          button: texts.login.button,
          fields: [
            AccountFields.email(state, texts),
            AccountFields.currentPassword(state, "password", texts),
            AccountFields.remember(state, texts)
          ]
        })}
        ${hasPasskeys && PasskeyView.signIn(texts.passkeys, token)} ${buttons}
      </div>
      <p class="below"><a href="/forgot">${texts.login.forgot}</a></p>
      <p class="below">${texts.login.noAccount} <a href="/register">${texts.login.signUp}</a></p>`
  }
})

/** Redirects a browser that is signed in: to the page that was requested, or to the account page. */
export const proceed = (granted: Option.Option<string>) =>
  PageTexts.redirect(
    Option.getOrElse(granted, () => home),
    ({ login }) => login.done
  )

const submit = Effect.gen(function* () {
  const outcome = yield* SignInSteps.attempt(SignInSteps.inBrowser)
  if (outcome._tag === "Pending") {
    yield* PendingSession.keep(outcome.token)
    return yield* Respond.redirect(loginFactor, { status: 202, value: { factors: outcome.kinds } })
  }
  const { granted: target, identity } = outcome
  return yield* Respond.redirectWithFlash(
    Option.getOrElse(target, () => home),
    Flash.success((yield* PageTexts.texts).login.done),
    { value: identity }
  )
}).pipe(
  Effect.catchTag("InvalidForm", (invalid) => {
    const focus = invalid.status === 401 ? "password" : undefined
    return Respond.renderInvalid(invalid, view({ ...invalid, focus }))
  }),
  Effect.catchTag("HookFailed", AccountEvents.refused)
)

/** `GET` and `POST /login`, limited by client and by account. */
export const routes = [
  HttpLayerRouter.route("GET", path, requireGuest(Respond.render(view()))),
  HttpLayerRouter.route("POST", path, submit)
]

const signOut = Effect.gen(function* () {
  if (!(yield* BrowserSession.end)) return yield* toSignIn(path)
  return yield* Respond.redirectWithFlash(path, Flash.success((yield* PageTexts.texts).login.signedOut))
})

/** `POST /logout`. */
export const signOutRoutes = [HttpLayerRouter.route("POST", "/logout", signOut)]
