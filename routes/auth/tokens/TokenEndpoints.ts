// The endpoints of API tokens in the group of accounts. No token can call them: it could make itself more.
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { PasswordSubmission } from "../api/AccountFailures.ts"
import * as Schemas from "../api/AccountSchemas.ts"
import { ApiAuthentication } from "../ApiAuthentication.ts"
import { Unconfirmed } from "../internal/ApiSecurity.ts"

const onlyWithScopes = "404 in a program that offers no scopes."

export const tokens = HttpApiEndpoint.get("tokens", "/tokens")
  .addSuccess(Schema.Array(Schemas.ApiToken))
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "List the API tokens of the account, the newest first")
  .annotate(OpenApi.Description, onlyWithScopes)

export const createToken = HttpApiEndpoint.post("createToken", "/tokens")
  .setPayload(Schemas.TokenRequest)
  .addSuccess(Schemas.NewApiToken, { status: 201 })
  .addError(PasswordSubmission)
  .addError(Unconfirmed)
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "Make an API token")
  .annotate(
    OpenApi.Description,
    `Needs a session that was confirmed recently, or the current password, and returns the secret once. No API token can call it. ${onlyWithScopes}`
  )

export const revokeToken = HttpApiEndpoint.del("revokeToken", "/tokens/:handle")
  .setPath(Schema.Struct({ handle: Schema.String }))
  .addSuccess(Schemas.Message)
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "Revoke an API token of the account")
  .annotate(OpenApi.Description, `The response is the same for a token that does not exist. ${onlyWithScopes}`)
