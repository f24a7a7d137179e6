// What the API of accounts accepts and returns of passkeys and second factors.
import { Schema } from "effect"
import { seconds, secret } from "../api/AccountSchemas.ts"

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
export const PasskeyName = Schema.Struct({ name: name("device", "Phone") })

/** A passkey that a browser has made. */
export const NewPasskey = Schema.Struct({
  name: name("device", "Phone"),
  credential: secret("The JSON text of what the browser returned: JSON.stringify(credential).", "{…}")
})

const Descriptor = Schema.Struct({
  type: Schema.Literal("public-key"),
  id: Schema.String,
  transports: Schema.Array(Schema.String)
})

/** What a browser needs to make a passkey. */
export const CreationOptions = Schema.Struct({
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
export const Factors = Schema.Struct({
  apps: Schema.Array(App),
  recoveryCodes: Schema.Int.annotations({ description: "How many recovery codes are left.", examples: [10] }),
  everyDevice: Schema.Boolean.annotations({ description: "Whether trusted devices are asked for a code too." })
})

const shownOnce = (description: string) => Schema.Redacted(Schema.String.annotations({ description }))

/** A new authenticator app, before a code of it was seen. */
export const Enrolment = Schema.Struct({
  enrolment: shownOnce("Sent back with a code of the app, within 15 minutes. Nothing is stored until then."),
  secret: shownOnce("The secret of the app in base 32, for a person who types it."),
  uri: shownOnce("The otpauth: address, for a QR code.")
})

/** A code of the new authenticator app. */
export const NewApp = Schema.Struct({
  enrolment: secret("What the enrolment returned.", "…"),
  name: name("app", "My phone"),
  code: secret("The code that the app shows.", "123456")
})

const recoveryCodes = Schema.Array(Schema.Redacted(Schema.String)).annotations({
  description:
    "Recovery codes, each for one sign-in. They are returned only here; empty where the account has some already."
})

/** The new app, and recovery codes with the first one. */
export const AddedApp = Schema.Struct({ factor: App, recoveryCodes })

/** New recovery codes. */
export const RecoveryCodes = Schema.Struct({ recoveryCodes })

/** Whether trusted devices are asked for a code too. */
export const EveryDevice = Schema.Struct({ every_device: Schema.Boolean })
