// What the API of accounts accepts and returns. The payloads describe the fields: the forms of the pages validate them, so
// that an invalid one gets a message for each field.
import { Schema } from "effect"
import { lifetimes } from "../../../src/auth/internal/ApiTokenRules.ts"
import { FactorKind } from "../../../src/auth/internal/factors/FactorRules.ts"
import { Identity } from "../../../src/session/Identity.ts"

/** A text that no log repeats. */
export const secret = (description: string, example: string) =>
  Schema.Redacted(
    Schema.String.annotations({
      description,
      jsonSchema: { type: "string", format: "password", description, examples: [example] }
    })
  )

/** An address, as it is typed. */
export const EmailAddress = Schema.String.annotations({
  description: "An e-mail address. Its spelling is normalized.",
  jsonSchema: { type: "string", format: "email", examples: ["ann@example.com"] }
})

const NewPassword = secret("At least 8 characters, and not one of the most common.", "correct-horse-battery")
/** The current password. */
export const OwnPassword = secret("The password of the account.", "correct-horse-battery")

/** The token of a mailed link. */
const LinkToken = secret(
  "The two last segments of the mailed link, selector/verifier.",
  `${"0123456789abcdef"}/${"0123456789abcdef".repeat(4)}`
)

/** A new account. */
export const SignUp = Schema.Struct({ email: EmailAddress, password: NewPassword })

/** E-mail and password. */
export const Credentials = Schema.Struct({ email: EmailAddress, password: OwnPassword })

/** A wish of a browser that signs in. */
export const Remember = Schema.optional(
  Schema.Boolean.annotations({ description: "Whether this device signs in again by itself, by a cookie that lasts." })
)

/** E-mail and password of a browser. */
export const BrowserCredentials = Schema.Struct({ ...Credentials.fields, remember: Remember })

export const PasswordChange = Schema.Struct({
  current: OwnPassword,
  password: NewPassword,
  keep_tokens: Schema.optional(Schema.Boolean.annotations({ description: "Whether API tokens go on working." }))
})

export const RecoveryRequest = Schema.Struct({ email: EmailAddress })

export const PasswordReset = Schema.Struct({ token: LinkToken, password: NewPassword })

export const VerificationToken = Schema.Struct({ token: LinkToken })

const accountExample = { id: Identity.fields.id.make("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"), email: "ann@example.com" }

/** An account, with its profile in a program that has profiles. */
export const accountOf = <A, I>(profile: Schema.Schema<A, I>) =>
  Schema.Struct({ ...Identity.fields, profile: Schema.optional(profile) })

/** An account. */
export const Account = Schema.Struct(Identity.fields).annotations({
  identifier: "Account",
  description: "An account.",
  examples: [{ ...accountExample, verified: true }]
})

/** Names one of a list. */
export const One = Schema.Struct({ handle: Schema.String })

export const Created = { status: 201 } as const

export const Accepted = { status: 202 } as const

/** A time. */
export const seconds = (description: string) =>
  Schema.Int.annotations({ description: `${description}, in seconds since 1970.`, examples: [1_767_225_600] })

const bearerSecret = Schema.Redacted(
  Schema.String.annotations({ description: "Sent as Authorization: Bearer. It is returned only here." })
)

/** The secret of a session without cookies. */
export const Bearer = Schema.Struct({
  token: bearerSecret,
  expires: seconds("When it ends at the latest")
}).annotations({ identifier: "Bearer", description: "A session without cookies." })

/** What a sign-in without cookies returns. */
export const SignedIn = Schema.Struct({ account: Account, bearer: Bearer })

/** A sign-in whose second factor is still missing. */
export const PendingSignIn = Schema.Struct({
  factors: Schema.Array(FactorKind).annotations({ description: "What can follow, in any order.", examples: [["totp"]] })
}).annotations({ identifier: "PendingSignIn", description: "The password is right, and a second factor is needed." })

/** A sign-in without cookies whose second factor is still missing. */
export const PendingBearer = Schema.Struct({
  ...PendingSignIn.fields,
  pending: Schema.Redacted(
    Schema.String.annotations({ description: "Sent with the code, within ten minutes. It grants nothing by itself." })
  )
}).annotations({ identifier: "PendingBearer", description: "The password is right, and a second factor is needed." })

const FactorCode = secret("The code of an authenticator app, or a recovery code.", "123456")

/** The second step of a sign-in with cookies. */
export const FactorSignIn = Schema.Struct({ code: FactorCode })

/** The token of a client with cookies. */
export const CsrfToken = Schema.Struct({
  token: Schema.String.annotations({ description: "Sent as x-csrf-token. A different text each time." })
})

/** The password, or a code. */
export const Confirmation = Schema.Union(Schema.Struct({ current: OwnPassword }), FactorSignIn)

/** A pending sign-in without cookies. */
export const Pending = Schema.Struct({
  pending: secret("The secret of the first step.", `${"0123456789abcdef"}.${"0123456789abcdef".repeat(4)}`)
})

/** The second step of a sign-in without cookies. */
export const BearerFactorSignIn = Schema.Struct({ code: FactorCode, ...Pending.fields })

/** A text for a person. */
export const Message = Schema.Struct({ message: Schema.String }).annotations({
  identifier: "Message",
  description: "A sentence for a person, in the language of the request.",
  examples: [{ message: "Signed out." }]
})

/** The new secret of the session, where a bearer carries it. */
export const Regenerated = Schema.Struct({
  ...Message.fields,
  bearer: Schema.optional(Bearer).annotations({
    description: "The new secret of this session, when it has one: the old one stops working."
  })
})

const DeviceInfo = Schema.Struct({
  address: Schema.String.annotations({ description: "The address of the client.", examples: ["192.0.2.7"] }),
  userAgent: Schema.String.annotations({ description: "Its User-Agent.", examples: ["curl/8.5.0"] })
})

const current = (what: string) =>
  Schema.Boolean.annotations({ description: `Whether it is the ${what} of this request.` })

/** A session of the account. */
export const Session = Schema.Struct({
  handle: Schema.String.annotations({ description: "Names the session; grants no access." }),
  created: seconds("When it began"),
  lastSeen: seconds("When it was last used"),
  device: DeviceInfo,
  current: current("session")
}).annotations({ identifier: "Session", description: "A session of the account." })

/** A trusted device of the account. */
export const Device = Schema.Struct({
  selector: Schema.String.annotations({ description: "Names the device; grants no access." }),
  created: seconds("Since when it is trusted"),
  lastUsed: seconds("When it last signed in by itself"),
  device: DeviceInfo,
  current: current("device")
}).annotations({ identifier: "Device", description: "A device that signs in again by itself." })

const name = Schema.String.annotations({ description: "For its owner: what the token is for.", examples: ["Backup"] })
const scopes = Schema.Array(Schema.String).annotations({
  description: "What the token may do, in the names of the program.",
  examples: [["notes:read"]]
})

/** A new API token. */
export const TokenRequest = Schema.Struct({
  name,
  scopes,
  days: Schema.optional(
    Schema.Literal(...lifetimes).annotations({ description: "How many days it lives; 90 unless stated." })
  ),
  current: Schema.optional(OwnPassword).annotations({
    description: "The password of the account. Not needed in a session that was confirmed recently."
  })
})

/** An API token of the account. */
export const ApiToken = Schema.Struct({
  handle: Schema.String.annotations({ description: "Names the token; grants no access." }),
  name,
  scopes,
  created: seconds("When it was made"),
  lastUsed: Schema.optional(seconds("When it was last used, exact to a minute")),
  expires: seconds("When it ends")
}).annotations({ identifier: "ApiToken", description: "A token by which a program acts for the account." })

/** An API token that was just made. */
export const NewApiToken = Schema.Struct({
  ...ApiToken.fields,
  secret: bearerSecret
}).annotations({ identifier: "NewApiToken", description: "An API token with its secret." })
