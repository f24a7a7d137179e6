// The endpoints of passkeys and second factors in the group of accounts, each after a recent confirmation. No API token can
// call them.
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { EnrollmentExpired, InvalidInput, Limited, Refused, Submission } from "../api/AccountFailures.ts"
import { InvalidRequest } from "../../../src/http/InvalidRequest.ts"
import { LastSignInMethod } from "../../../src/auth/SignInMethods.ts"
import * as Schemas from "../api/AccountSchemas.ts"
import { seconds, secret } from "../api/AccountSchemas.ts"
import { Descriptor } from "../passkeys/PasskeyEndpoints.ts"
import { ConfirmedAuthentication } from "../ApiAuthentication.ts"

const name = (what: string, example: string) =>
  Schema.String.annotations({ description: `For its owner: which ${what} it is.`, examples: [example] })

const handle = (what: string) => Schema.String.annotations({ description: `Names the ${what}; grants no access.` })

/** A passkey of the account. */
export const Passkey = Schema.Struct({
  handle: handle("passkey"),
  name: name("device", "Phone"),
  created: seconds("When it was made"),
  lastUsed: Schema.optional(seconds("When it was last used")),
  isSynced: Schema.Boolean.annotations({ description: "Whether a provider keeps a copy of it." })
}).annotations({ identifier: "Passkey", description: "A passkey of the account." })

/** A new name of a passkey. */
const PasskeyName = Schema.Struct({ name: name("device", "Phone") })

/** A passkey that a browser has made. */
const NewPasskey = Schema.Struct({
  name: name("device", "Phone"),
  credential: secret("The JSON text of what the browser returned: JSON.stringify(credential).", "{…}")
})

/** What a browser needs to make a passkey. */
const CreationOptions = Schema.Struct({
  challenge: Schema.String,
  rp: Schema.Struct({ id: Schema.String, name: Schema.String }),
  user: Schema.Struct({ id: Schema.String, name: Schema.String, displayName: Schema.String }),
  pubKeyCredParams: Schema.Array(Schema.Struct({ type: Schema.Literal("public-key"), alg: Schema.Int })),
  timeout: Schema.Int,
  excludeCredentials: Schema.Array(Descriptor),
  authenticatorSelection: Schema.Struct({
    residentKey: Schema.Literal("required"),
    requireResidentKey: Schema.Literal(true),
    userVerification: Schema.Literal("required")
  }),
  attestation: Schema.Literal("none")
}).annotations({
  identifier: "PasskeyCreationOptions",
  description: "For PublicKeyCredential.parseCreationOptionsFromJSON. Works once, for five minutes, in this session."
})

/** An authenticator app of the account. */
export const App = Schema.Struct({
  handle: handle("app"),
  name: name("app", "My phone"),
  created: seconds("When it was added"),
  lastUsed: seconds("When a code of it was last accepted")
}).annotations({ identifier: "AuthenticatorApp", description: "An authenticator app of the account." })

/** The second factors of an account. */
const Factors = Schema.Struct({
  apps: Schema.Array(App),
  recoveryCodes: Schema.Int.annotations({ description: "How many recovery codes are left.", examples: [10] }),
  everyDevice: Schema.Boolean.annotations({ description: "Whether trusted devices are asked for a code too." })
})

const shownOnce = (description: string) => Schema.Redacted(Schema.String.annotations({ description }))

/** A new authenticator app, before a code of it was seen. */
const Enrollment = Schema.Struct({
  enrolment: shownOnce("Sent back with a code of the app, within 15 minutes. Nothing is stored until then."),
  secret: shownOnce("The secret of the app in base 32, for a person who types it."),
  uri: shownOnce("The otpauth: address, for a QR code.")
})

/** A code of the new authenticator app. */
const NewApp = Schema.Struct({
  enrolment: secret("What the enrollment returned.", "…"),
  name: name("app", "My phone"),
  code: secret("The code that the app shows.", "123456")
})

const recoveryCodes = Schema.Array(Schema.Redacted(Schema.String)).annotations({
  description:
    "Recovery codes, each for one sign-in. They are returned only here; empty where the account has some already."
})

/** The new app, and recovery codes with the first one. */
const AddedApp = Schema.Struct({ factor: App, recoveryCodes })

/** New recovery codes. */
const RecoveryCodes = Schema.Struct({ recoveryCodes })

/** Whether trusted devices are asked for a code too. */
const EveryDevice = Schema.Struct({ every_device: Schema.Boolean })

const unknownIsSame = (what: string) => `The response is the same for ${what} that does not exist.`

export const passkeys = HttpApiEndpoint.get("passkeys", "/passkeys")
  .addSuccess(Schema.Array(Passkey))
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "List the passkeys of the account, the newest first")

export const passkeyOptions = HttpApiEndpoint.post("passkeyOptions", "/passkeys/options")
  .addSuccess(CreationOptions)
  .addError(Refused)
  .addError(Limited)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "What a browser needs to make a passkey")
  .annotate(OpenApi.Description, "403 for an account whose address is not verified.")

export const addPasskey = HttpApiEndpoint.post("addPasskey", "/passkeys")
  .setPayload(NewPasskey)
  .addSuccess(Passkey, Schemas.Created)
  .addError(Refused)
  .addError(Submission)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Add the passkey that a browser has made")

export const renamePasskey = HttpApiEndpoint.patch("renamePasskey", "/passkeys/:handle")
  .setPath(Schemas.One)
  .setPayload(PasskeyName)
  .addError(InvalidRequest)
  .addSuccess(Schemas.Message)
  .addError(InvalidInput)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Rename a passkey of the account")
  .annotate(OpenApi.Description, unknownIsSame("a passkey"))

export const removePasskey = HttpApiEndpoint.del("removePasskey", "/passkeys/:handle")
  .setPath(Schemas.One)
  .addSuccess(Schemas.Message)
  .addError(LastSignInMethod)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Remove a passkey of the account")
  .annotate(OpenApi.Description, `409 for the last way to sign in. ${unknownIsSame("a passkey")}`)

export const factors = HttpApiEndpoint.get("factors", "/factors")
  .addSuccess(Factors)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "The second factors of the account")

export const beginApp = HttpApiEndpoint.post("beginApp", "/factors/enrolment")
  .addSuccess(Enrollment)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "The secret of a new authenticator app")
  .annotate(OpenApi.Description, "Stores nothing: POST /factors adds the app, with a code of it.")

export const addApp = HttpApiEndpoint.post("addApp", "/factors")
  .setPayload(NewApp)
  .addSuccess(AddedApp, Schemas.Created)
  .addError(EnrollmentExpired)
  .addError(Submission)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Add an authenticator app by a code of it")

export const removeApp = HttpApiEndpoint.del("removeApp", "/factors/:handle")
  .setPath(Schemas.One)
  .addSuccess(Schemas.Message)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Remove an authenticator app of the account")
  .annotate(OpenApi.Description, `The recovery codes go with the last one. ${unknownIsSame("an app")}`)

export const renewRecoveryCodes = HttpApiEndpoint.post("renewRecoveryCodes", "/factors/recovery-codes")
  .addSuccess(RecoveryCodes, Schemas.Created)
  .addError(InvalidInput)
  .addError(Limited)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Ten new recovery codes; the old ones stop working")
  .annotate(OpenApi.Description, "422 for an account without an authenticator app.")

export const askOnEveryDevice = HttpApiEndpoint.put("askOnEveryDevice", "/factors/every-device")
  .setPayload(EveryDevice)
  .addError(InvalidRequest)
  .addSuccess(Schemas.Message)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Choose whether trusted devices are asked for a code too")
