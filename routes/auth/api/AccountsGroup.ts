// The endpoints of accounts, as a group that a program adds to its own API.
import { IsAccount } from "../../../src/http/internal/RouteOptions.ts"
import { FormPayload } from "../../http/internal/api/FormPayload.ts"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { flow, Schema } from "effect"
import * as Failures from "./AccountFailures.ts"
import { InvalidRequest } from "../../../src/http/InvalidRequest.ts"
import * as Schemas from "./AccountSchemas.ts"
import { endpoint } from "../activity/Activity.ts"
import { ApiAuthentication } from "../ApiAuthentication.ts"
import { forUsers, forPending, withToken } from "../internal/ApiSecurity.ts"
import * as FactorEndpoints from "../factors/FactorEndpoints.ts"
import * as LostFactorEndpoints from "../lostfactors/LostFactorEndpoints.ts"
import * as PasswordEndpoints from "../password/PasswordEndpoints.ts"
import * as PasskeyEndpoints from "../passkeys/PasskeyEndpoints.ts"
import * as ProviderEndpoints from "../providers/ProviderEndpoints.ts"
import * as LifecycleEndpoints from "./LifecycleEndpoints.ts"
import * as AccountTokens from "../tokens/AccountTokens.ts"

/** The name of the group in the API and in its clients. */
export const name = "accounts"

const { Busy, Forged, InvalidLink, Limited, PasswordSubmission, PendingEnded, Refused } = Failures
const { SignedOut, SignInAttempt, Submission } = Failures

const csrf = HttpApiEndpoint.get("csrf", "/csrf")
  .addSuccess(Schemas.CsrfToken)
  .annotate(OpenApi.Summary, "The CSRF token of this browser")
  .annotate(
    OpenApi.Description,
    "For the header x-csrf-token of a client with cookies, also before it is signed in. A sign-in, a sign-out and a new " +
      "password end it. The same as GET /csrf of the program."
  )

const signIn = HttpApiEndpoint.post("signIn", "/sign-in")
  .setPayload(Schemas.BrowserCredentials)
  .addSuccess(Schemas.Account)
  .addSuccess(Schemas.PendingSignIn, Schemas.Accepted)
  .addError(SignInAttempt)
  .addError(Forged)
  .addError(Busy)
  .annotate(OpenApi.Summary, "Sign in with cookies")
  .annotate(
    OpenApi.Description,
    "For browsers: begins a session in a cookie. Needs the header x-csrf-token, from GET /csrf, so that no other site signs its visitors in."
  )
  .annotate(OpenApi.Transform, withToken)

const signInBearer = HttpApiEndpoint.post("signInBearer", "/bearer/sign-in")
  .setPayload(Schemas.Credentials)
  .addSuccess(Schemas.SignedIn)
  .addSuccess(Schemas.PendingBearer, Schemas.Accepted)
  .addError(SignInAttempt)
  .addError(Busy)
  .annotate(OpenApi.Summary, "Sign in without cookies")
  .annotate(
    OpenApi.Description,
    "For clients without cookies: returns the secret of a session once. Sends no cookie and reads none."
  )

const signInFactor = HttpApiEndpoint.post("signInFactor", "/sign-in/factor")
  .setPayload(Schemas.FactorSignIn)
  .addSuccess(Schemas.Account)
  .addError(SignInAttempt)
  .addError(PendingEnded)
  .addError(Forged)
  .annotate(OpenApi.Summary, "Complete a sign-in with cookies")
  .annotate(OpenApi.Transform, flow(forPending, withToken))
  .annotate(OpenApi.Description, "After a sign-in that returned 202: within ten minutes, with at most five codes.")

const signInFactorBearer = HttpApiEndpoint.post("signInFactorBearer", "/bearer/sign-in/factor")
  .setPayload(Schemas.BearerFactorSignIn)
  .addSuccess(Schemas.SignedIn)
  .addError(SignInAttempt)
  .addError(PendingEnded)
  .annotate(OpenApi.Summary, "Complete a sign-in without cookies")
  .annotate(OpenApi.Description, "After a sign-in that returned 202: within ten minutes, with at most five codes.")

const signOut = HttpApiEndpoint.post("signOut", "/sign-out")
  .addSuccess(Schemas.Message)
  .addError(SignedOut)
  .addError(Forged)
  .annotate(OpenApi.Summary, "Sign out")
  .annotate(OpenApi.Description, "Ends this session, by cookie or bearer, and forgets this device.")
  .annotate(OpenApi.Transform, forUsers)

const changePassword = HttpApiEndpoint.put("changePassword", "/password")
  .setPayload(Schemas.PasswordChange)
  .addSuccess(Schemas.Regenerated)
  .addError(PasswordSubmission)
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "Change the password")
  .annotate(OpenApi.Description, "Ends every other session and forgets every device.")

const confirm = HttpApiEndpoint.post("confirm", "/confirm")
  .setPayload(Schemas.Confirmation)
  .addSuccess(Schemas.Regenerated)
  .addError(PasswordSubmission)
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "Confirm this session")
  .annotate(
    OpenApi.Description,
    "For an endpoint that needs a recent confirmation, by the password or a code. A sign-in with the password counts as one. " +
      "The session gets a new id."
  )

const forgotPassword = HttpApiEndpoint.post("forgotPassword", "/password/forgot")
  .setPayload(Schemas.RecoveryRequest)
  .addSuccess(Schemas.Message)
  .addError(Submission)
  .addError(Forged)
  .annotate(OpenApi.Summary, "Ask for a reset link")
  .annotate(OpenApi.Description, "The response does not tell whether the e-mail has an account.")

const resetPassword = HttpApiEndpoint.post("resetPassword", "/password/reset")
  .setPayload(Schemas.PasswordReset)
  .addSuccess(Schemas.Message)
  .addError(PasswordSubmission)
  .addError(InvalidLink)
  .addError(Forged)
  .annotate(OpenApi.Summary, "Set a new password by the mailed link")
  .annotate(OpenApi.Description, "Ends every session and forgets every device. Signs nobody in.")

const resendVerification = HttpApiEndpoint.post("resendVerification", "/verification")
  .addSuccess(Schemas.Message)
  .addError(Limited)
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "Send the verification e-mail again")

const verify = HttpApiEndpoint.post("verify", "/verification/redeem")
  .setPayload(Schemas.VerificationToken)
  .addError(InvalidRequest)
  .addSuccess(Schemas.Message)
  .addError(InvalidLink)
  .addError(Limited)
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "Verify the e-mail address by the mailed link")
  .annotate(OpenApi.Description, "In a session of the account that the link was sent for.")

const sessions = HttpApiEndpoint.get("sessions", "/sessions")
  .addSuccess(Schema.Array(Schemas.Session))
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "List the sessions of the account, this one first")

const endSession = HttpApiEndpoint.del("endSession", "/sessions/:handle")
  .setPath(Schemas.One)
  .addSuccess(Schemas.Message)
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "End a session of the account")
  .annotate(OpenApi.Description, "The response is the same for a session that does not exist.")

const endOthers = HttpApiEndpoint.del("endOthers", "/sessions")
  .addSuccess(Schemas.Message)
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "End every other session and forget every other device")

const devices = HttpApiEndpoint.get("devices", "/devices")
  .addSuccess(Schema.Array(Schemas.Device))
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "List the trusted devices of the account, this one first")

const forgetDevice = HttpApiEndpoint.del("forgetDevice", "/devices/:selector")
  .setPath(Schema.Struct({ selector: Schema.String }))
  .addSuccess(Schemas.Message)
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "Forget a trusted device of the account")
  .annotate(OpenApi.Description, "The response is the same for a device that does not exist.")

/** The group with the program's own fields of a sign-up, and its schema of an account. */
export const make = <Own, OwnI, Account extends object, AccountI>(
  own: Schema.Schema<Own, OwnI>,
  account: Schema.Schema<Account, AccountI>
) => {
  const form = Schema.extend(Schemas.SignUp, own)
  const { signUpProvider, signUpProviderBearer } = ProviderEndpoints.signUps(own, account)
  return HttpApiGroup.make(name)
    .annotate(FormPayload, true)
    .annotate(IsAccount, true)
    .add(
      HttpApiEndpoint.post("signUp", "/sign-up")
        .setPayload(form)
        .addSuccess(account, Schemas.Created)
        .addError(PasswordSubmission)
        .addError(Refused)
        .addError(Forged)
        .annotate(OpenApi.Summary, "Sign up with cookies")
        .annotate(
          OpenApi.Description,
          "For browsers: creates an account, signs it in by a cookie and sends the verification e-mail. Needs the header x-csrf-token, from GET /csrf."
        )
        .annotate(OpenApi.Transform, withToken)
    )
    .add(
      HttpApiEndpoint.post("signUpBearer", "/bearer/sign-up")
        .setPayload(form)
        .addSuccess(Schema.Struct({ account, bearer: Schemas.Bearer }), Schemas.Created)
        .addError(PasswordSubmission)
        .addError(Refused)
        .annotate(OpenApi.Summary, "Sign up without cookies")
        .annotate(
          OpenApi.Description,
          "For clients without cookies: creates an account, returns the secret of a session once and sends the verification e-mail."
        )
    )
    .add(csrf)
    .add(signIn)
    .add(signInBearer)
    .add(signInFactor)
    .add(signInFactorBearer)
    .add(PasskeyEndpoints.signInPasskeyOptions)
    .add(PasskeyEndpoints.signInPasskey)
    .add(PasskeyEndpoints.signInPasskeyOptionsBearer)
    .add(PasskeyEndpoints.signInPasskeyBearer)
    .add(PasskeyEndpoints.signInFactorOptions)
    .add(PasskeyEndpoints.signInFactorPasskey)
    .add(PasskeyEndpoints.signInFactorOptionsBearer)
    .add(PasskeyEndpoints.signInFactorPasskeyBearer)
    .add(ProviderEndpoints.providers)
    .add(ProviderEndpoints.beginProvider)
    .add(ProviderEndpoints.beginProviderBearer)
    .add(ProviderEndpoints.signInProvider)
    .add(ProviderEndpoints.signInProviderBearer)
    .add(signUpProvider)
    .add(signUpProviderBearer)
    .add(ProviderEndpoints.identities)
    .add(ProviderEndpoints.beginIdentity)
    .add(ProviderEndpoints.addIdentity)
    .add(ProviderEndpoints.removeIdentity)
    .add(ProviderEndpoints.beginConfirmation)
    .add(ProviderEndpoints.confirmProvider)
    .add(LostFactorEndpoints.factorRecovery)
    .add(LostFactorEndpoints.factorRecoveryBearer)
    .add(LostFactorEndpoints.requestFactorRecovery)
    .add(LostFactorEndpoints.requestFactorRecoveryBearer)
    .add(LostFactorEndpoints.cancelFactorRecovery)
    .add(LostFactorEndpoints.completeFactorRecovery)
    .add(signOut)
    .add(
      HttpApiEndpoint.get("me", "/me")
        .addSuccess(account)
        .middleware(ApiAuthentication)
        .annotate(OpenApi.Summary, "The signed-in account")
    )
    .add(changePassword)
    .add(PasswordEndpoints.signInMethods)
    .add(PasswordEndpoints.setPassword)
    .add(PasswordEndpoints.removePassword)
    .add(confirm)
    .add(PasskeyEndpoints.confirmPasskeyOptions)
    .add(PasskeyEndpoints.confirmPasskey)
    .add(forgotPassword)
    .add(resetPassword)
    .add(resendVerification)
    .add(verify)
    .add(sessions)
    .add(endSession)
    .add(endOthers)
    .add(devices)
    .add(forgetDevice)
    .add(endpoint)
    .add(AccountTokens.tokens)
    .add(AccountTokens.createToken)
    .add(AccountTokens.revokeToken)
    .add(LifecycleEndpoints.signOutEverywhere)
    .add(LifecycleEndpoints.email)
    .add(LifecycleEndpoints.changeEmail)
    .add(LifecycleEndpoints.cancelEmailChange)
    .add(LifecycleEndpoints.redeemEmailChange)
    .add(LifecycleEndpoints.undoEmailChange)
    .add(LifecycleEndpoints.deletion)
    .add(LifecycleEndpoints.requestDeletion)
    .add(LifecycleEndpoints.cancelDeletion)
    .add(LifecycleEndpoints.exported)
    .add(FactorEndpoints.passkeys)
    .add(FactorEndpoints.passkeyOptions)
    .add(FactorEndpoints.addPasskey)
    .add(FactorEndpoints.renamePasskey)
    .add(FactorEndpoints.removePasskey)
    .add(FactorEndpoints.factors)
    .add(FactorEndpoints.beginApp)
    .add(FactorEndpoints.addApp)
    .add(FactorEndpoints.removeApp)
    .add(FactorEndpoints.renewRecoveryCodes)
    .add(FactorEndpoints.askOnEveryDevice)
    .annotate(OpenApi.Title, "Accounts")
    .annotate(OpenApi.Description, "Sign-up, sign-in and what a person does with their account.")
}

/** The group without a profile, which its handlers are typed by. */
export const plain = make(Schema.Struct({}), Schemas.Account)
