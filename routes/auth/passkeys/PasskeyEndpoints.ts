// The endpoints of a passkey in the group of accounts: to sign in with cookies and without them, and to confirm.
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { flow as pipeline, Schema } from "effect"
import { Forged, Limited, PendingEnded, SignInAttempt, Submission } from "../api/AccountFailures.ts"
import * as Schemas from "../api/AccountSchemas.ts"
import { secret } from "../api/AccountSchemas.ts"
import { InvalidRequest } from "../../../src/http/InvalidRequest.ts"
import { ApiAuthentication } from "../ApiAuthentication.ts"
import { forPending, withToken } from "../internal/ApiSecurity.ts"

/** A stored passkey, as a browser finds it. */
export const Descriptor = Schema.Struct({
  type: Schema.Literal("public-key"),
  id: Schema.String,
  transports: Schema.Array(Schema.String)
})

/** What a browser needs to use a passkey. */
const RequestOptions = Schema.Struct({
  challenge: Schema.String,
  rpId: Schema.String,
  timeout: Schema.Int,
  userVerification: Schema.Literal("required"),
  allowCredentials: Schema.Array(Descriptor)
}).annotations({
  identifier: "PasskeyRequestOptions",
  description: "For PublicKeyCredential.parseRequestOptionsFromJSON. Works once, for five minutes."
})

const flow = secret("Sent back with the passkey: the challenge belongs to it.", "…")

const credential = secret("The JSON text of what the browser returned: JSON.stringify(credential).", "{…}")

const alone = "The passkey has verified the person: no second factor follows."

export const signInPasskeyOptions = HttpApiEndpoint.post("signInPasskeyOptions", "/sign-in/passkey/options")
  .addSuccess(RequestOptions)
  .addError(Limited)
  .addError(Forged)
  .annotate(OpenApi.Summary, "What a browser needs to sign in with a passkey and cookies")
  .annotate(OpenApi.Transform, withToken)

export const signInPasskey = HttpApiEndpoint.post("signInPasskey", "/sign-in/passkey")
  .setPayload(Schema.Struct({ credential, remember: Schemas.Remember }))
  .addSuccess(Schemas.Account)
  .addError(SignInAttempt)
  .addError(Forged)
  .annotate(OpenApi.Summary, "Sign in with a passkey and cookies")
  .annotate(OpenApi.Description, alone)
  .annotate(OpenApi.Transform, withToken)

export const signInPasskeyOptionsBearer = HttpApiEndpoint.post(
  "signInPasskeyOptionsBearer",
  "/bearer/sign-in/passkey/options"
)
  .addSuccess(Schema.Struct({ options: RequestOptions, flow }))
  .addError(Limited)
  .annotate(OpenApi.Summary, "What a browser needs to sign in with a passkey, without cookies")

export const signInPasskeyBearer = HttpApiEndpoint.post("signInPasskeyBearer", "/bearer/sign-in/passkey")
  .setPayload(Schema.Struct({ credential, flow }))
  .addSuccess(Schemas.SignedIn)
  .addError(SignInAttempt)
  .annotate(OpenApi.Summary, "Sign in with a passkey, without cookies")
  .annotate(OpenApi.Description, alone)

const afterPassword = "After a sign-in that returned 202 with the factor passkey, within ten minutes."

export const signInFactorOptions = HttpApiEndpoint.post("signInFactorOptions", "/sign-in/factor/passkey/options")
  .addSuccess(RequestOptions)
  .addError(PendingEnded)
  .addError(Limited)
  .addError(Forged)
  .annotate(OpenApi.Summary, "What a browser needs to complete a sign-in with a passkey and cookies")
  .annotate(OpenApi.Description, afterPassword)
  .annotate(OpenApi.Transform, pipeline(forPending, withToken))

export const signInFactorPasskey = HttpApiEndpoint.post("signInFactorPasskey", "/sign-in/factor/passkey")
  .setPayload(Schema.Struct({ credential }))
  .addSuccess(Schemas.Account)
  .addError(SignInAttempt)
  .addError(PendingEnded)
  .addError(Forged)
  .annotate(OpenApi.Summary, "Complete a sign-in with a passkey and cookies")
  .annotate(OpenApi.Description, `${afterPassword} A passkey counts as one of its five tries.`)
  .annotate(OpenApi.Transform, pipeline(forPending, withToken))

export const signInFactorOptionsBearer = HttpApiEndpoint.post(
  "signInFactorOptionsBearer",
  "/bearer/sign-in/factor/passkey/options"
)
  .setPayload(Schemas.Pending)
  .addError(InvalidRequest)
  .addSuccess(RequestOptions)
  .addError(PendingEnded)
  .addError(Limited)
  .annotate(OpenApi.Summary, "What a browser needs to complete a sign-in with a passkey, without cookies")
  .annotate(OpenApi.Description, afterPassword)

export const signInFactorPasskeyBearer = HttpApiEndpoint.post(
  "signInFactorPasskeyBearer",
  "/bearer/sign-in/factor/passkey"
)
  .setPayload(Schema.Struct({ credential, ...Schemas.Pending.fields }))
  .addSuccess(Schemas.SignedIn)
  .addError(SignInAttempt)
  .addError(PendingEnded)
  .annotate(OpenApi.Summary, "Complete a sign-in with a passkey, without cookies")
  .annotate(OpenApi.Description, `${afterPassword} A passkey counts as one of its five tries.`)

export const confirmPasskeyOptions = HttpApiEndpoint.post("confirmPasskeyOptions", "/confirm/passkey/options")
  .addSuccess(RequestOptions)
  .addError(Limited)
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "What a browser needs to confirm with a passkey of the account")

export const confirmPasskey = HttpApiEndpoint.post("confirmPasskey", "/confirm/passkey")
  .setPayload(Schema.Struct({ credential }))
  .addSuccess(Schemas.Regenerated)
  .addError(Submission)
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "Confirm who is signed in with a passkey")
  .annotate(OpenApi.Description, "For an endpoint that needs a recent confirmation, as POST /confirm.")
