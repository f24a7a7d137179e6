// The handlers of accounts: the operations of the pages, with the session of a cookie or of a bearer.
import { type HttpApi, type HttpApiGroup, HttpServerRequest } from "@effect/platform"
import { Effect, Option, Redacted } from "effect"
import { SignInMethods } from "../../../src/auth/SignInMethods.ts"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { Unauthenticated } from "../../../src/auth/AuthError.ts"
import * as ApiGroup from "../../http/internal/api/ApiGroup.ts"
import * as CsrfCheck from "../../session/CsrfCheck.ts"
import * as CsrfGuard from "../../session/internal/CsrfGuard.ts"
import * as Respond from "../../session/Respond.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as Texts from "../../http/Texts.ts"
import { asCredentials, InvalidCredentials } from "./AccountFailures.ts"
import {
  accepted,
  asGuarded,
  asHandler,
  message,
  pendingEnded,
  redeemed,
  regenerated,
  saying,
  startOver,
  withBearer,
  withCheckedCookies,
  withJson,
  withoutCookies,
  withProfile
} from "./AccountOperation.ts"
import * as Activity from "../activity/Activity.ts"
import * as AccountProfile from "../signup/AccountProfile.ts"
import * as AccountSessions from "../account/AccountSessions.ts"
import * as AccountTokens from "../tokens/AccountTokens.ts"
import * as AccountsGroup from "./AccountsGroup.ts"
import * as ApiGuard from "../internal/ApiGuard.ts"
import { sessionOf } from "../internal/BearerGuard.ts"
import * as BrowserSession from "../signin/BrowserSession.ts"
import * as Confirmation from "../confirmation/Confirmation.ts"
import * as FactorHandlers from "../factors/FactorHandlers.ts"
import * as PasskeyHandlers from "../passkeys/PasskeyHandlers.ts"
import * as LostFactorHandlers from "../lostfactors/LostFactorHandlers.ts"
import * as FactorSignIn from "../signin/FactorSignIn.ts"
import * as ProviderHandlers from "../providers/ProviderHandlers.ts"
import * as Lifecycle from "./LifecycleHandlers.ts"
import * as AccountMail from "../internal/AccountMail.ts"
import * as PasswordChange from "../password/PasswordChange.ts"
import * as PasswordReset from "../password/PasswordReset.ts"
import * as PendingSession from "../signin/PendingSession.ts"
import * as SignInSteps from "../signin/SignInSteps.ts"
import * as SignUp from "../signup/SignUp.ts"
import * as Verification from "../verification/Verification.ts"

const signUp = Effect.zipRight(
  CsrfGuard.header,
  withJson(SignUp.submit((identity) => BrowserSession.begin(identity)))
).pipe(Effect.map(({ identity, profile }) => Respond.json(withProfile(identity, profile), { status: 201 })))

const signUpBearer = Effect.gen(function* () {
  const { granted, identity, profile } = yield* SignUp.submit((identity) => SignInSteps.byBearer(identity))
  // Nobody can have revoked an account that is a moment old.
  const { expires, secret } = yield* Effect.orDie(granted)
  const bearer = { token: Redacted.value(secret), expires }
  return Respond.json({ account: withProfile(identity, profile), bearer }, { status: 201 })
}).pipe(withJson, withoutCookies)

const csrf = Effect.map(CsrfCheck.token, (token) => ({ token }))

const attempt = <A, R>(grant: SignInSteps.Grant<A, R>) =>
  withJson(SignInSteps.attempt(grant)).pipe(Effect.catchTag("InvalidForm", asCredentials))

const withCode = <A, R>(presented: Option.Option<Redacted.Redacted>, grant: SignInSteps.Grant<A, R>) =>
  withJson(FactorSignIn.withCode(presented, grant)).pipe(Effect.catchTag("InvalidForm", asCredentials))

const signIn = Effect.gen(function* () {
  yield* CsrfGuard.header
  const outcome = yield* attempt(SignInSteps.inBrowser)
  if (outcome._tag === "SignedIn") return outcome.identity
  yield* PendingSession.keep(outcome.token)
  return accepted({ factors: outcome.kinds })
})

const signInFactor = Effect.gen(function* () {
  yield* CsrfGuard.header
  const outcome = yield* withCode(yield* PendingSession.presented, SignInSteps.inBrowser)
  return outcome._tag === "SignedIn" ? outcome.identity : yield* startOver
})

const signInBearer = Effect.gen(function* () {
  // A password that is changed while this request checks the old one must not leave a session.
  yield* Effect.flatMap(SessionCookie.current, ({ trackRevocations }) => trackRevocations)
  const outcome = yield* attempt(SignInSteps.byBearer)
  if (outcome._tag === "Pending") {
    return accepted({ factors: outcome.kinds, pending: Redacted.value(outcome.token.value) })
  }
  const { refused: error } = (yield* Texts.of(AuthTexts)).login
  return yield* withBearer(outcome.identity, outcome.granted, new InvalidCredentials({ error }))
}).pipe(withoutCookies)

const signInFactorBearer = Effect.gen(function* () {
  const outcome = yield* withCode(yield* PendingSession.sent, SignInSteps.byBearer)
  if (outcome._tag === "StartOver") return yield* pendingEnded
  return yield* withBearer(outcome.identity, outcome.granted, pendingEnded)
}).pipe(withJson, withoutCookies)

const ended = Effect.gen(function* () {
  if (yield* BrowserSession.end) return yield* message(({ login }) => login.signedOut)
  const { realm } = yield* AuthConfig
  return yield* new Unauthenticated({ realm })
})

// Not behind the middleware: a trusted device, too, is forgotten and not signed in first.
const signOut = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
  headers["authorization"] === undefined
    ? withCheckedCookies(ended)
    : Effect.zipRight(ApiGuard.found({ bearer: sessionOf, cookies: undefined }), withoutCookies(ended))
)

const me = Effect.gen(function* () {
  const identity = yield* CurrentIdentity
  const profile = yield* AccountProfile.find(identity.id)
  return Respond.json(withProfile(identity, Option.getOrUndefined(profile)?.row))
})

const changePassword = Effect.zipRight(
  PasswordChange.change,
  regenerated(({ password }) => password.done)
).pipe(withJson, asGuarded)

const signInMethods = Effect.flatMap(CurrentIdentity, ({ id }) =>
  Effect.flatMap(SignInMethods, ({ list }) => list(id))
).pipe(asGuarded)

const setPassword = Effect.zipRight(
  PasswordChange.set,
  regenerated(({ methods }) => methods.set.done)
).pipe(withJson, asGuarded)

const removePassword = Effect.zipRight(
  PasswordChange.remove,
  regenerated(({ methods }) => methods.remove.done)
).pipe(withJson, asGuarded)

const confirm = Effect.zipRight(
  Confirmation.submit,
  regenerated(({ confirm: texts }) => texts.done)
).pipe(withJson, asGuarded)

const forgotPassword = PasswordReset.request.pipe(
  saying(({ forgot }) => forgot.done),
  withJson,
  withCheckedCookies
)

const resetPassword = Effect.flatMap(
  PasswordReset.reset(AccountMail.sentToken),
  redeemed(
    ({ reset }) => reset.done,
    ({ reset }) => reset.expired
  )
).pipe(withJson, withCheckedCookies)

const verify = Verification.limited(Effect.flatMap(AccountMail.sentToken, Verification.redeem)).pipe(
  Effect.flatMap(
    redeemed(
      ({ verify: texts }) => texts.done,
      ({ verify: texts }) => texts.expired
    )
  ),
  withJson,
  asGuarded
)

const resendVerification = Effect.flatMap(Verification.resend, (isSent) =>
  message(({ verify: texts }) => (isSent ? texts.sent : texts.already))
).pipe(asGuarded)

const endSession = (handle: string) =>
  AccountSessions.endSession(handle).pipe(saying(({ account }) => account.sessionEnded))

const forgetDevice = (selector: string) =>
  AccountSessions.forgetDevice(selector).pipe(saying(({ account }) => account.deviceForgotten))

const endOthers = AccountSessions.endOthers.pipe(saying(({ account }) => account.othersEnded))

const activity = Effect.map(Activity.read, ({ items, pagination: { limit, next } }) => ({
  items,
  limit,
  next
})).pipe(asGuarded)

const tokens = AccountTokens.whenOffered(AccountTokens.list).pipe(asGuarded)

const createToken = AccountTokens.whenOffered(AccountTokens.create).pipe(withJson, asGuarded)

const revokeToken = (handle: string) =>
  AccountTokens.revoke(handle).pipe(
    saying(({ tokens: texts }) => texts.revoked),
    AccountTokens.whenOffered,
    asGuarded
  )

/** The handlers of the group of accounts in this API, over the stores of the program. */
export const layer = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
) =>
  ApiGroup.group(
    // A boundary of the type system: of the API only this group counts here, and payloads are read by the forms.
    api as unknown as HttpApi.HttpApi<Id, typeof AccountsGroup.plain, never, never>,
    AccountsGroup.name,
    (group) =>
      group
        .handleRaw("signUp", () => asHandler(signUp))
        .handleRaw("signUpBearer", () => asHandler(signUpBearer))
        .handle("csrf", () => asHandler(csrf))
        .handleRaw("signIn", () => asHandler(signIn))
        .handleRaw("signInBearer", () => asHandler(signInBearer))
        .handleRaw("signInFactor", () => asHandler(signInFactor))
        .handleRaw("signInFactorBearer", () => asHandler(signInFactorBearer))
        .handle("signInPasskeyOptions", () => asHandler(PasskeyHandlers.signInPasskeyOptions))
        .handleRaw("signInPasskey", () => asHandler(PasskeyHandlers.signInPasskey))
        .handle("signInPasskeyOptionsBearer", () => asHandler(PasskeyHandlers.signInPasskeyOptionsBearer))
        .handleRaw("signInPasskeyBearer", () => asHandler(PasskeyHandlers.signInPasskeyBearer))
        .handle("signInFactorOptions", () => asHandler(PasskeyHandlers.signInFactorOptions))
        .handleRaw("signInFactorPasskey", () => asHandler(PasskeyHandlers.signInFactorPasskey))
        .handleRaw("signInFactorOptionsBearer", () => asHandler(PasskeyHandlers.signInFactorOptionsBearer))
        .handleRaw("signInFactorPasskeyBearer", () => asHandler(PasskeyHandlers.signInFactorPasskeyBearer))
        .handle("providers", () => asHandler(ProviderHandlers.providers))
        .handleRaw("beginProvider", ({ path: { provider } }) => asHandler(ProviderHandlers.beginProvider(provider)))
        .handleRaw("beginProviderBearer", ({ path: { provider } }) =>
          asHandler(ProviderHandlers.beginProviderBearer(provider))
        )
        .handleRaw("signInProvider", () => asHandler(ProviderHandlers.signInProvider))
        .handleRaw("signInProviderBearer", () => asHandler(ProviderHandlers.signInProviderBearer))
        .handleRaw("signUpProvider", () => asHandler(ProviderHandlers.signUpProvider))
        .handleRaw("signUpProviderBearer", () => asHandler(ProviderHandlers.signUpProviderBearer))
        .handle("identities", () => asHandler(ProviderHandlers.identities))
        .handleRaw("beginIdentity", ({ path: { provider } }) => asHandler(ProviderHandlers.beginIdentity(provider)))
        .handleRaw("addIdentity", () => asHandler(ProviderHandlers.addIdentity))
        .handle("removeIdentity", ({ path: { handle } }) => asHandler(ProviderHandlers.removeIdentity(handle)))
        .handleRaw("beginConfirmation", ({ path: { provider } }) =>
          asHandler(ProviderHandlers.beginConfirmation(provider))
        )
        .handleRaw("confirmProvider", () => asHandler(ProviderHandlers.confirmProvider))
        .handle("factorRecovery", () => asHandler(LostFactorHandlers.factorRecovery))
        .handleRaw("factorRecoveryBearer", () => asHandler(LostFactorHandlers.factorRecoveryBearer))
        .handle("requestFactorRecovery", () => asHandler(LostFactorHandlers.requestFactorRecovery))
        .handleRaw("requestFactorRecoveryBearer", () => asHandler(LostFactorHandlers.requestFactorRecoveryBearer))
        .handleRaw("cancelFactorRecovery", () => asHandler(LostFactorHandlers.cancelFactorRecovery))
        .handleRaw("completeFactorRecovery", () => asHandler(LostFactorHandlers.completeFactorRecovery))
        .handle("signOut", () => asHandler(signOut))
        .handle("me", () => asHandler(me))
        .handleRaw("changePassword", () => asHandler(changePassword))
        .handle("signInMethods", () => asHandler(signInMethods))
        .handleRaw("setPassword", () => asHandler(setPassword))
        .handleRaw("removePassword", () => asHandler(removePassword))
        .handleRaw("confirm", () => asHandler(confirm))
        .handle("confirmPasskeyOptions", () => asHandler(PasskeyHandlers.confirmPasskeyOptions))
        .handleRaw("confirmPasskey", () => asHandler(PasskeyHandlers.confirmPasskey))
        .handleRaw("forgotPassword", () => asHandler(forgotPassword))
        .handleRaw("resetPassword", () => asHandler(resetPassword))
        .handle("resendVerification", () => asHandler(resendVerification))
        .handleRaw("verify", () => asHandler(verify))
        .handle("sessions", () => asHandler(asGuarded(AccountSessions.sessions)))
        .handle("endSession", ({ path: { handle } }) => asHandler(asGuarded(endSession(handle))))
        .handle("endOthers", () => asHandler(asGuarded(endOthers)))
        .handle("devices", () => asHandler(asGuarded(AccountSessions.devices)))
        .handle("forgetDevice", ({ path: { selector } }) => asHandler(asGuarded(forgetDevice(selector))))
        .handle("activity", () => asHandler(activity))
        .handle("tokens", () => asHandler(tokens))
        .handleRaw("createToken", () => asHandler(createToken))
        .handle("revokeToken", ({ path: { handle } }) => asHandler(revokeToken(handle)))
        .handle("signOutEverywhere", () => asHandler(Lifecycle.signOutEverywhere))
        .handle("email", () => asHandler(Lifecycle.email))
        .handleRaw("changeEmail", () => asHandler(Lifecycle.changeEmail))
        .handle("cancelEmailChange", () => asHandler(Lifecycle.cancelEmailChange))
        .handleRaw("redeemEmailChange", () => asHandler(Lifecycle.redeemEmailChange))
        .handleRaw("undoEmailChange", () => asHandler(Lifecycle.undoEmailChange))
        .handle("deletion", () => asHandler(Lifecycle.deletion))
        .handle("requestDeletion", () => asHandler(Lifecycle.requestDeletion))
        .handle("cancelDeletion", () => asHandler(Lifecycle.cancelDeletion))
        .handle("exported", () => asHandler(Lifecycle.exported))
        .handle("passkeys", () => asHandler(FactorHandlers.passkeys))
        .handle("passkeyOptions", () => asHandler(FactorHandlers.passkeyOptions))
        .handleRaw("addPasskey", () => asHandler(FactorHandlers.addPasskey))
        .handleRaw("renamePasskey", ({ path: { handle } }) => asHandler(FactorHandlers.renamePasskey(handle)))
        .handle("removePasskey", ({ path: { handle } }) => asHandler(FactorHandlers.removePasskey(handle)))
        .handle("factors", () => asHandler(FactorHandlers.factors))
        .handle("beginApp", () => asHandler(FactorHandlers.beginApp))
        .handleRaw("addApp", () => asHandler(FactorHandlers.addApp))
        .handle("removeApp", ({ path: { handle } }) => asHandler(FactorHandlers.removeApp(handle)))
        .handle("renewRecoveryCodes", () => asHandler(FactorHandlers.renewRecoveryCodes))
        .handleRaw("askOnEveryDevice", () => asHandler(FactorHandlers.askOnEveryDevice))
  )
