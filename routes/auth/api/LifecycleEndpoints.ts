// The endpoints of an account's life cycle in the group of accounts: another address, the deletion, a copy of what is stored.
// No API token can call them.
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { PasswordState } from "../../../src/auth/internal/WaysIn.ts"
import { SecurityEvent } from "../../../src/auth/SecurityEvents.ts"
import { EmailTaken, Forged, InvalidLink, Limited, Submission } from "./AccountFailures.ts"
import { InvalidRequest } from "../../../src/http/InvalidRequest.ts"
import { Identity } from "../providers/ProviderEndpoints.ts"
import * as Schemas from "./AccountSchemas.ts"
import { ApiAuthentication, ConfirmedAuthentication } from "../ApiAuthentication.ts"
import { App, Passkey } from "../factors/FactorEndpoints.ts"

const Address = Schema.Struct({
  email: Schema.String.annotations({ description: "The address of the account.", examples: ["ann@example.com"] }),
  pending: Schema.NullOr(
    Schema.Struct({
      email: Schema.String.annotations({ description: "The new address.", examples: ["ann@example.org"] }),
      expires: Schemas.seconds("When its link expires")
    })
  ).annotations({ description: "The change that waits for the link in its e-mail." })
})

export const email = HttpApiEndpoint.get("email", "/email")
  .addSuccess(Address)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "The address of the account, and the change that waits")

export const changeEmail = HttpApiEndpoint.post("changeEmail", "/email")
  .setPayload(Schemas.RecoveryRequest)
  .addSuccess(Schemas.Message)
  .addError(Submission)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Ask for another address")
  .annotate(
    OpenApi.Description,
    "Sends a link to the new address. The response does not tell whether that address has an account."
  )

export const cancelEmailChange = HttpApiEndpoint.del("cancelEmailChange", "/email")
  .addSuccess(Schemas.Message)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Cancel the change that waits")
  .annotate(OpenApi.Description, "The response is the same where no change waits.")

const linkFailures = Schema.Union(InvalidLink, EmailTaken, InvalidRequest, Limited)

export const redeemEmailChange = HttpApiEndpoint.post("redeemEmailChange", "/email/redeem")
  .setPayload(Schemas.VerificationToken)
  .addSuccess(Schemas.Message)
  .addError(linkFailures)
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "Change the address by the mailed link")
  .annotate(
    OpenApi.Description,
    "In a session of the account. Notifies the old address, with a link that undoes the change for seven days."
  )

export const undoEmailChange = HttpApiEndpoint.post("undoEmailChange", "/email/undo")
  .setPayload(Schemas.VerificationToken)
  .addSuccess(Schemas.Message)
  .addError(linkFailures)
  .addError(Forged)
  .annotate(OpenApi.Summary, "Restore the old address by its link")
  .annotate(
    OpenApi.Description,
    "Ends every session, device, API token and the password, removes what was added since, and sends a reset link."
  )

const onlyWithDeletion = "404 in a program without AccountDeletion.layer."

const due = Schemas.seconds("When the account will be deleted")

export const deletion = HttpApiEndpoint.get("deletion", "/deletion")
  .addSuccess(Schema.Struct({ due: Schema.NullOr(due) }))
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "When the account will be deleted")
  .annotate(OpenApi.Description, onlyWithDeletion)

export const requestDeletion = HttpApiEndpoint.post("requestDeletion", "/deletion")
  .addSuccess(Schema.Struct({ ...Schemas.Message.fields, due }))
  .addError(Limited)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Ask for the deletion of the account")
  .annotate(OpenApi.Description, `Ends every session, device and API token, also this one. ${onlyWithDeletion}`)

export const cancelDeletion = HttpApiEndpoint.del("cancelDeletion", "/deletion")
  .addSuccess(Schemas.Message)
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "Keep the account")
  .annotate(
    OpenApi.Description,
    `The response is the same for an account that was not to be deleted. ${onlyWithDeletion}`
  )

const Exported = Schema.Struct({
  exported: Schemas.seconds("When it was read"),
  account: Schemas.Account,
  password: PasswordState,
  profile: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  sessions: Schema.Array(Schemas.Session),
  devices: Schema.Array(Schemas.Device),
  tokens: Schema.Array(Schemas.ApiToken),
  passkeys: Schema.Array(Passkey),
  factors: Schema.Array(App),
  identities: Schema.Array(Identity),
  events: Schema.Array(SecurityEvent),
  program: Schema.Unknown.annotations({ description: "What the program adds." })
})

export const exported = HttpApiEndpoint.get("exported", "/export")
  .addSuccess(Exported)
  .addError(Limited)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Everything that is stored with the account")
  .annotate(OpenApi.Description, "Without a secret or a hash.")

export const signOutEverywhere = HttpApiEndpoint.post("signOutEverywhere", "/sign-out/everywhere")
  .addSuccess(Schemas.Message)
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "End every session and forget every device, also this one")
