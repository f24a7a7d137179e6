// The endpoints of the ways in, in the group of accounts: their list, and a password that is set and removed. No API token can
// call them.
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { LastSignInMethod } from "../../../src/auth/SignInMethods.ts"
import { Methods } from "../../../src/auth/internal/WaysIn.ts"
import { PasswordSubmission } from "../api/AccountFailures.ts"
import * as Schemas from "../api/AccountSchemas.ts"
import { ApiAuthentication, ConfirmedAuthentication } from "../ApiAuthentication.ts"

const { current, keep_tokens, password } = Schemas.PasswordChange.fields

const SignInMethods = Methods.annotations({
  identifier: "SignInMethods",
  description: "What the account can sign in with. A locked password needs a reset first."
})

const endsOthers = "Ends every other session and forgets every device."

export const signInMethods = HttpApiEndpoint.get("signInMethods", "/sign-in-methods")
  .addSuccess(SignInMethods)
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "The ways to sign in to the account")

export const setPassword = HttpApiEndpoint.post("setPassword", "/password")
  .setPayload(Schema.Struct({ password, keep_tokens }))
  .addSuccess(Schemas.Regenerated)
  .addError(PasswordSubmission)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Set the first password of an account without one")
  .annotate(OpenApi.Description, `422 for an account that has a password. ${endsOthers}`)

export const removePassword = HttpApiEndpoint.post("removePassword", "/password/remove")
  .setPayload(Schema.Struct({ current, keep_tokens }))
  .addSuccess(Schemas.Regenerated)
  .addError(PasswordSubmission)
  .addError(LastSignInMethod)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Remove the password")
  .annotate(OpenApi.Description, `409 when nothing else signs in to the account. ${endsOthers}`)
