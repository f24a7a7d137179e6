// The endpoints of providers in the group of accounts: to sign in and up with cookies and without them, to connect identities and
// to confirm. The client opens the address that a beginning returns, and redeems the code that comes back.
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdentityTaken } from "../../../src/auth/LinkedIdentities.ts"
import { LastSignInMethod } from "../../../src/auth/SignInMethods.ts"
import {
  Forged,
  Limited,
  PendingEnded,
  ProviderDown,
  Refused,
  SignInAttempt,
  Submission
} from "../api/AccountFailures.ts"
import * as Schemas from "../api/AccountSchemas.ts"
import { Accepted, Created, seconds, secret } from "../api/AccountSchemas.ts"
import { ApiAuthentication, ConfirmedAuthentication } from "../ApiAuthentication.ts"
import { withToken } from "../internal/ApiSecurity.ts"

const providerId = Schema.String.annotations({ description: "The id of the provider.", examples: ["google"] })

const Provider = Schema.Struct({
  id: providerId,
  name: Schema.String.annotations({ description: "For its button.", examples: ["Google"] })
}).annotations({ identifier: "Provider", description: "A provider that people can sign in with." })

/** How a client begins. */
const Begin = Schema.Struct({
  challenge: Schema.String.annotations({
    description: "S256 of a random text that the client keeps, as in PKCE: base64url of its SHA-256.",
    examples: ["E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"]
  }),
  return_to: Schema.String.annotations({
    description:
      "Where the browser brings ?code=… or ?error=expired, refused or unavailable: an address of AUTH_RETURN_URLS, exactly. A " +
      "client with cookies may also name a path of this site.",
    examples: ["com.example.app:/signed-in"]
  })
})

const Begun = Schema.Struct({
  url: Schema.String.annotations({ description: "The address to open in a browser, within ten minutes." })
})

const code = secret("The code that the browser has brought back. It works once, for a minute.", "…")

/** A code, and the text that only the client that began has. */
const Redemption = Schema.Struct({ code, verifier: secret("The text of the challenge.", "…") })

/** A sign-in that needs an address, or the program's own fields. */
const SignUpNeeded = Schema.Struct({
  next: Schema.Literal("sign-up"),
  code: Schema.Redacted(Schema.String.annotations({ description: "For the sign-up, within ten minutes." })),
  email: Schema.optional(Schema.String),
  fields: Schema.Record({ key: Schema.String, value: Schema.String }).annotations({
    description: "What the provider has told for the program's own fields: a suggestion."
  })
}).annotations({
  identifier: "ProviderSignUpNeeded",
  description: "There is no account yet, and something is missing."
})

/** A sign-in whose address has an account. */
const ConnectNeeded = Schema.Struct({
  next: Schema.Literal("connect"),
  code: Schema.Redacted(
    Schema.String.annotations({ description: "For POST /identities after a sign-in, within ten minutes." })
  ),
  message: Schema.String
}).annotations({ identifier: "ProviderConnectNeeded", description: "The address has an account: sign in to it once." })

/** A linked identity of the account. */
export const Identity = Schema.Struct({
  handle: Schema.String.annotations({ description: "Names the identity; grants no access." }),
  provider: providerId,
  label: Schema.String.annotations({ description: "What its owner knows it by.", examples: ["ann@example.com"] }),
  created: seconds("When it was connected"),
  lastUsed: Schema.optional(seconds("When it last signed in"))
}).annotations({ identifier: "LinkedIdentity", description: "An identity at a provider that signs in to the account." })

/** A beginning with the provider of the path. */
const beginning = <const Name extends string>(name: Name, path: `/${string}/:provider`) =>
  HttpApiEndpoint.post(name, path)
    .setPath(Schema.Struct({ provider: Schema.String }))
    .setPayload(Begin)
    .addSuccess(Begun)
    .addError(Submission)
    .addError(ProviderDown)

export const providers = HttpApiEndpoint.get("providers", "/providers")
  .addSuccess(Schema.Array(Provider))
  .annotate(OpenApi.Summary, "The providers that people can sign in with")

export const beginProvider = beginning("beginProvider", "/sign-in/with/:provider")
  .addError(Forged)
  .annotate(OpenApi.Summary, "Begin a sign-in with a provider and cookies")
  .annotate(OpenApi.Description, "The return counts only in this browser.")
  .annotate(OpenApi.Transform, withToken)

export const beginProviderBearer = beginning("beginProviderBearer", "/bearer/sign-in/with/:provider").annotate(
  OpenApi.Summary,
  "Begin a sign-in with a provider, without cookies"
)

export const signInProvider = HttpApiEndpoint.post("signInProvider", "/sign-in/provider")
  .setPayload(Schema.Struct({ ...Redemption.fields, remember: Schemas.Remember }))
  .addSuccess(Schemas.Account)
  .addSuccess(Schemas.PendingSignIn, Accepted)
  .addSuccess(SignUpNeeded, Accepted)
  .addSuccess(ConnectNeeded, Accepted)
  .addError(SignInAttempt)
  .addError(PendingEnded)
  .addError(Forged)
  .annotate(OpenApi.Summary, "Sign in with the code of a provider and cookies")
  .annotate(OpenApi.Transform, withToken)

export const signInProviderBearer = HttpApiEndpoint.post("signInProviderBearer", "/bearer/sign-in/provider")
  .setPayload(Redemption)
  .addSuccess(Schemas.SignedIn)
  .addSuccess(Schemas.PendingBearer, Accepted)
  .addSuccess(SignUpNeeded, Accepted)
  .addSuccess(ConnectNeeded, Accepted)
  .addError(SignInAttempt)
  .addError(PendingEnded)
  .annotate(OpenApi.Summary, "Sign in with the code of a provider, without cookies")

const completes = "After a sign-in that returned 202 with next: sign-up. A refused form leaves the code as it was."

/** The endpoints that complete a sign-up, with the program's own fields. */
export const signUps = <Own, OwnI, Account extends object, AccountI>(
  own: Schema.Schema<Own, OwnI>,
  account: Schema.Schema<Account, AccountI>
) => {
  const form = Schema.extend(Schema.Struct({ ...Redemption.fields, email: Schemas.EmailAddress }), own)
  const signUpProvider = HttpApiEndpoint.post("signUpProvider", "/sign-up/provider")
    .setPayload(form)
    .addSuccess(account, Created)
    .addSuccess(ConnectNeeded, Accepted)
    .addError(Submission)
    .addError(Refused)
    .addError(PendingEnded)
    .addError(Forged)
    .annotate(OpenApi.Summary, "Complete a sign-up with a provider and cookies")
    .annotate(OpenApi.Description, completes)
    .annotate(OpenApi.Transform, withToken)
  const signUpProviderBearer = HttpApiEndpoint.post("signUpProviderBearer", "/bearer/sign-up/provider")
    .setPayload(form)
    .addSuccess(Schema.Struct({ account, bearer: Schemas.Bearer }), Created)
    .addSuccess(ConnectNeeded, Accepted)
    .addError(Submission)
    .addError(Refused)
    .addError(PendingEnded)
    .annotate(OpenApi.Summary, "Complete a sign-up with a provider, without cookies")
    .annotate(OpenApi.Description, completes)
  return { signUpProvider, signUpProviderBearer }
}

export const identities = HttpApiEndpoint.get("identities", "/identities")
  .addSuccess(Schema.Array(Identity))
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "List the identities of the account, the newest first")

export const beginIdentity = beginning("beginIdentity", "/identities/with/:provider")
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Begin to connect an identity")

export const addIdentity = HttpApiEndpoint.post("addIdentity", "/identities")
  .setPayload(Redemption)
  .addSuccess(Identity, Created)
  .addError(Submission)
  .addError(PendingEnded)
  .addError(IdentityTaken)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Connect the identity of a code")
  .annotate(OpenApi.Description, "In the session that has begun it, or after the sign-in that a code asked for.")

export const removeIdentity = HttpApiEndpoint.del("removeIdentity", "/identities/:handle")
  .setPath(Schemas.One)
  .addSuccess(Schemas.Message)
  .addError(LastSignInMethod)
  .addError(Limited)
  .middleware(ConfirmedAuthentication)
  .annotate(OpenApi.Summary, "Disconnect an identity of the account")
  .annotate(
    OpenApi.Description,
    "409 for the last way to sign in. The response is the same for an identity that does not exist."
  )

export const beginConfirmation = beginning("beginConfirmation", "/confirm/with/:provider")
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "Begin to confirm with an identity of the account")

export const confirmProvider = HttpApiEndpoint.post("confirmProvider", "/confirm/provider")
  .setPayload(Redemption)
  .addSuccess(Schemas.Regenerated)
  .addError(Submission)
  .addError(PendingEnded)
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "Confirm who is signed in with the code of a provider")
  .annotate(OpenApi.Description, "For an endpoint that needs a recent confirmation, as POST /confirm.")
