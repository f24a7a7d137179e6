// The endpoints of passkeys and second factors in the group of accounts, each after a recent confirmation. No API token can
// call them.
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { EnrolmentExpired, InvalidInput, Limited, Refused, Submission } from "../api/AccountFailures.ts"
import * as Schemas from "../api/AccountSchemas.ts"
import { ConfirmedAuthentication } from "../ApiAuthentication.ts"
import * as FactorSchemas from "./FactorSchemas.ts"

const Created = { status: 201 } as const

const One = Schema.Struct({ handle: Schema.String })

const unknownIsSame = (what: string) => `The response is the same for ${what} that does not exist.`

export const passkeys = HttpApiEndpoint.get("passkeys", "/passkeys")
  .addSuccess(Schema.Array(FactorSchemas.Passkey))
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "List the passkeys of the account, the newest first")

export const passkeyOptions = HttpApiEndpoint.post("passkeyOptions", "/passkeys/options")
  .addSuccess(FactorSchemas.CreationOptions)
  .addError(Refused)
  .addError(Limited)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "What a browser needs to make a passkey")
  .annotate(OpenApi.Description, "403 for an account whose address is not verified.")

export const addPasskey = HttpApiEndpoint.post("addPasskey", "/passkeys")
  .setPayload(FactorSchemas.NewPasskey)
  .addSuccess(FactorSchemas.Passkey, Created)
  .addError(Refused)
  .addError(Submission)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Add the passkey that a browser has made")

export const renamePasskey = HttpApiEndpoint.patch("renamePasskey", "/passkeys/:handle")
  .setPath(One)
  .setPayload(FactorSchemas.PasskeyName)
  .addSuccess(Schemas.Message)
  .addError(InvalidInput)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Rename a passkey of the account")
  .annotate(OpenApi.Description, unknownIsSame("a passkey"))

export const removePasskey = HttpApiEndpoint.del("removePasskey", "/passkeys/:handle")
  .setPath(One)
  .addSuccess(Schemas.Message)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Remove a passkey of the account")
  .annotate(OpenApi.Description, unknownIsSame("a passkey"))

export const factors = HttpApiEndpoint.get("factors", "/factors")
  .addSuccess(FactorSchemas.Factors)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "The second factors of the account")

export const beginApp = HttpApiEndpoint.post("beginApp", "/factors/enrolment")
  .addSuccess(FactorSchemas.Enrolment)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "The secret of a new authenticator app")
  .annotate(OpenApi.Description, "Stores nothing: POST /factors adds the app, with a code of it.")

export const addApp = HttpApiEndpoint.post("addApp", "/factors")
  .setPayload(FactorSchemas.NewApp)
  .addSuccess(FactorSchemas.AddedApp, Created)
  .addError(EnrolmentExpired)
  .addError(Submission)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Add an authenticator app by a code of it")

export const removeApp = HttpApiEndpoint.del("removeApp", "/factors/:handle")
  .setPath(One)
  .addSuccess(Schemas.Message)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Remove an authenticator app of the account")
  .annotate(OpenApi.Description, `The recovery codes go with the last one. ${unknownIsSame("an app")}`)

export const renewRecoveryCodes = HttpApiEndpoint.post("renewRecoveryCodes", "/factors/recovery-codes")
  .addSuccess(FactorSchemas.RecoveryCodes, Created)
  .addError(InvalidInput)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Ten new recovery codes; the old ones stop working")
  .annotate(OpenApi.Description, "422 for an account without an authenticator app.")

export const askOnEveryDevice = HttpApiEndpoint.put("askOnEveryDevice", "/factors/every-device")
  .setPayload(FactorSchemas.EveryDevice)
  .addSuccess(Schemas.Message)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Choose whether trusted devices are asked for a code too")
