// The document of accounts tells the truth: every status of every operation is provoked, with the body and headers it declares.
import { expect, layer } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Duration, Effect, Layer, Redacted, Schema, TestClock, TestServices } from "effect"
import * as OidcProvider from "../../../layers/auth/OidcProvider.ts"
import * as SqlAccountHooks from "../../../layers/auth/SqlAccountHooks.ts"
import * as FormState from "../../../routes/session/FormState.ts"
import * as OpenApiDocument from "../../../routes/server/internal/OpenApiDocument.ts"
import type { CreationOptions, RequestOptions } from "../../../src/auth/internal/passkeys/PasskeyOptions.ts"
import { DueLostFactorRequests } from "../../../src/auth/internal/AccountWorkers.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import type { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import type { Sessions } from "../../../src/session/Session.ts"
import { LinkedIdentities } from "../../../src/auth/LinkedIdentities.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as ApiDocument from "../../../src/server/internal/ApiDocument.ts"
import { defaultLimit } from "../../../src/http/internal/RouteOptions.ts"
import * as Mailer from "../../../src/mail/Mailer.ts"
import type { ServerAddress } from "../../../src/server/ServerAddress.ts"
import type { CapturedMail } from "../../../testing/CapturedMail.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { RateLimit } from "../../../src/session/RateLimit.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import type { TestClient } from "../../../testing/TestClient.ts"
import * as TestProvider from "../../../testing/TestProvider.ts"
import { Api, app, everything } from "../../support/AccountsApp.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import { lastToken } from "../../support/MailedLinks.ts"
import { codeIn, listed, returning, secretOf } from "../../support/ProviderClient.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"
import * as PasswordQueue from "../../support/PasswordQueue.ts"
import { SoftAuthenticator } from "../../support/SoftAuthenticator.ts"

const document = JSON.parse(JSON.stringify(OpenApiDocument.make([Api]))) as ApiDocument.ApiDocument

const ajv = new Ajv2020({ strict: false, validateFormats: false })

const check = (schema: ApiDocument.JsonSchema, value: unknown): string =>
  ajv.validate({ ...schema, components: document.components }, value)
    ? ""
    : `${ajv.errorsText()} in ${JSON.stringify(value)}`

let count = 0
const fresh = () => `contract-${count++}@example.com`

/** What is sent: the payload, what takes the place of a parameter in the path, the query, and by whom. */
interface Sent {
  readonly json?: unknown
  readonly handle?: string
  readonly query?: string
  readonly client?: TestClient
}

type Member = TestApp.SignedInClient

const nothing = () => Effect.succeed<Sent>({})

const linkToNew = Effect.fnUntraced(function* (client: Member) {
  const email = fresh()
  yield* client.json("POST", "/api/email", { email })
  return { email, token: yield* lastToken(email, "/account/email") }
})

const undoLink = Effect.fnUntraced(function* (client: Member) {
  const { token } = yield* linkToNew(client)
  yield* client.json("POST", "/api/email/redeem", { token })
  return yield* lastToken(client.user.email, "/account/email/undo")
})

const newApp = Effect.fnUntraced(function* (client: Member) {
  yield* FactorApp.nextCode
  const begun = (yield* client.json("POST", "/api/factors/enrolment")).json as Record<"enrolment" | "secret", string>
  return { enrolment: begun.enrolment, name: "App", code: yield* FactorApp.codeOf(begun.secret) }
})

const bogus = { token: `${"0".repeat(16)}/${"0".repeat(64)}` }

type Needs =
  | AuthConfig
  | CapturedMail
  | DueLostFactorRequests
  | Factors
  | LinkedIdentities
  | RateLimit
  | ServerAddress
  | Sessions
  | TestProvider.TestProvider
  | Users

type Prepare = (client: Member) => Effect.Effect<Sent, unknown, Needs>

const password = "quiet harbour at noon"

const newcomer = (email: string) => Effect.map(TestApp.guest, (client) => ({ client, json: { email, password } }))

const credentials = ({ email, password: own }: TestApp.TestUser) =>
  Effect.map(TestApp.guest, (client) => ({ client, json: { email, password: own } }))

const suspended = Effect.suspend(() => TestApp.enrolledUser({ email: `suspended-${fresh()}` }))

/** A browser that has sent the password of an account with an authenticator app. */
const inBrowser = Effect.fnUntraced(function* (user: TestApp.TestUser) {
  const { secret } = yield* FactorApp.enrol(user)
  const { client, json } = yield* credentials(user)
  yield* client.json("POST", "/api/sign-in", json)
  return { client, secret }
})

/** A client without cookies that has done so. */
const byBearer = Effect.fnUntraced(function* (user: TestApp.TestUser) {
  const { secret } = yield* FactorApp.enrol(user)
  const { client, json } = yield* credentials(user)
  const { pending } = (yield* client.json("POST", "/api/bearer/sign-in", json)).json as { readonly pending: string }
  return { client, secret, pending }
})

const rightCode = (user: TestApp.TestUser) =>
  Effect.flatMap(inBrowser(user), ({ client, secret }) =>
    Effect.map(FactorApp.codeOf(secret), (code): Sent => ({ client, json: { code } }))
  )

const rightBearerCode = (user: TestApp.TestUser) =>
  Effect.flatMap(byBearer(user), ({ client, pending, secret }) =>
    Effect.map(FactorApp.codeOf(secret), (code): Sent => ({ client, json: { code, pending } }))
  )

const newPasskey = Effect.fnUntraced(function* (member: Member) {
  const device = new SoftAuthenticator(TestApp.appUrl)
  const options = (yield* member.json("POST", "/api/passkeys/options")).json as CreationOptions
  yield* member.json("POST", "/api/passkeys", { name: "Phone", credential: device.create(options) })
  return device
})

/** The account without its password, for the next request of its session. */
const withoutPassword = ({ user }: Member) =>
  Effect.flatMap(Users, ({ removePassword }) => removePassword(user.id, Redacted.make(user.password)))

/** What a device answers to the challenge of a browser that is not signed in. */
const passkeyInBrowser = Effect.fnUntraced(function* (member: Member) {
  const device = yield* newPasskey(member)
  const client = yield* TestApp.guest
  const options = (yield* client.json("POST", "/api/sign-in/passkey/options")).json as RequestOptions
  return { client, json: { credential: device.get(options) } }
})

/** The same for a client without cookies. */
const passkeyByBearer = Effect.fnUntraced(function* (member: Member) {
  const device = yield* newPasskey(member)
  const client = yield* TestApp.guest
  const begun = (yield* client.json("POST", "/api/bearer/sign-in/passkey/options")).json
  const { flow, options } = begun as { readonly flow: string; readonly options: RequestOptions }
  return { client, json: { credential: device.get(options), flow } }
})

/** What a device answers to the challenge of a browser that has sent its password. */
const pendingPasskey = Effect.fnUntraced(function* (member: Member) {
  const device = yield* newPasskey(member)
  const { client } = yield* inBrowser(member.user)
  const options = (yield* client.json("POST", "/api/sign-in/factor/passkey/options")).json as RequestOptions
  return { client, json: { credential: device.get(options) } }
})

/** The same for a client without cookies. */
const pendingPasskeyByBearer = Effect.fnUntraced(function* (member: Member) {
  const device = yield* newPasskey(member)
  const { client, pending } = yield* byBearer(member.user)
  const { json } = yield* client.json("POST", "/api/bearer/sign-in/factor/passkey/options", { pending })
  return { client, json: { credential: device.get(json as RequestOptions), pending } }
})

const recoveryOf = (user: TestApp.TestUser) =>
  Effect.map(byBearer(user), ({ client, pending }): Sent => ({ client, json: { pending } }))

const resetLink = Effect.fnUntraced(function* ({ user }: Member) {
  const client = yield* TestApp.guest
  yield* client.json("POST", "/api/password/forgot", { email: user.email })
  return { client, json: { token: yield* lastToken(user.email, "/reset"), password } }
})

const readyLink = Effect.fnUntraced(function* ({ user }: Member) {
  const { client, json } = yield* recoveryOf(user)
  if (client !== undefined) yield* client.json("POST", "/api/bearer/sign-in/factor/recovery", json)
  yield* TestClock.adjust(delay)
  yield* Effect.flatMap(DueLostFactorRequests, ({ sweep }) => sweep)
  return { token: yield* lastToken(user.email, "/login/factor/recovery"), password: user.password }
})

const unverified = Effect.suspend(() => TestApp.enrolledUser({ verified: false }))

const noPasskey = { credential: "{}", flow: "x" }

const noCode = { code: "123456", pending: "x" }

const begins = { challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", return_to: listed }

const beginsFlow = () => Effect.succeed<Sent>({ handle: "test", json: begins })

const noFlow = { code: "x", verifier: "x" }

const codeFrom = Effect.fnUntraced(function* (client: TestClient, path: string, claims: Claims, by?: TestClient) {
  const { challenge, verifier } = secretOf()
  const { json } = yield* client.json("POST", path, { challenge, return_to: listed })
  const location = yield* returning((json as { readonly url: string }).url, claims, by)
  return { code: Redacted.value(codeIn(location)), verifier }
})

type Claims = Readonly<Record<string, unknown>>

/** A browser that is not signed in, with the code of a provider. */
const providerInBrowser = (claims: Claims) =>
  Effect.gen(function* () {
    const client = yield* TestApp.guest
    return { client, json: yield* codeFrom(client, "/api/sign-in/with/test", claims, client) }
  })

/** The same for a client without cookies. */
const providerByBearer = (claims: Claims) =>
  Effect.gen(function* () {
    const client = yield* TestApp.guest
    return { client, json: yield* codeFrom(client, "/api/bearer/sign-in/with/test", claims) }
  })

type Coded = ReturnType<typeof providerInBrowser>

/** The code of a sign-up that has to be completed. */
const toComplete = (begun: Coded, path: string, email: string) =>
  Effect.gen(function* () {
    const { client, json } = yield* begun
    const next = (yield* client.json("POST", path, json)).json as { readonly code: string }
    return { client, json: { ...json, code: next.code, email } }
  })

const person = () => ({ sub: fresh(), email: fresh() })

const linkedSubject = Effect.fnUntraced(function* ({ id }: TestApp.TestUser) {
  const { issuer } = yield* TestProvider.TestProvider
  const subject = fresh()
  const identities = yield* LinkedIdentities
  const { handle } = yield* identities.link(id, { issuer, subject, provider: "test", label: subject })
  return { subject, handle }
})

const withFactorAt = (begun: (claims: Claims) => Coded) => (client: Member) =>
  Effect.gen(function* () {
    yield* FactorApp.enrol(client.user)
    return yield* begun({ sub: (yield* linkedSubject(client.user)).subject })
  })

const lockedAt = (begun: (claims: Claims) => Coded) => (client: Member) =>
  Effect.gen(function* () {
    const sent = yield* withFactorAt(begun)(client)
    const { countWrongCode } = yield* Factors
    yield* Effect.replicateEffect(countWrongCode(client.user.id), 100)
    return sent
  })

const suspendedAt = (begun: (claims: Claims) => Coded) => () => begun({ sub: fresh(), email: `suspended-${fresh()}` })

const newIdentity = (client: Member) =>
  Effect.map(codeFrom(client, "/api/identities/with/test", { sub: fresh() }, client), (json) => ({ json }))

/** For each operation, what makes it succeed. */
const valid: Readonly<Record<string, Prepare>> = {
  signUp: () => newcomer(fresh()),
  signUpBearer: () => newcomer(fresh()),
  csrf: nothing,
  signIn: ({ user }) => credentials(user),
  signInBearer: ({ user }) => credentials(user),
  signInFactor: ({ user }) => rightCode(user),
  signInFactorBearer: ({ user }) => rightBearerCode(user),
  signInPasskeyOptions: nothing,
  signInPasskey: (client) => passkeyInBrowser(client),
  signInPasskeyOptionsBearer: nothing,
  signInPasskeyBearer: (client) => passkeyByBearer(client),
  signInFactorOptions: ({ user }) => Effect.map(inBrowser(user), ({ client }) => ({ client })),
  signInFactorPasskey: (client) => pendingPasskey(client),
  signInFactorOptionsBearer: ({ user }) => recoveryOf(user),
  signInFactorPasskeyBearer: (client) => pendingPasskeyByBearer(client),
  providers: nothing,
  beginProvider: beginsFlow,
  beginProviderBearer: beginsFlow,
  signInProvider: () => providerInBrowser(person()),
  signInProviderBearer: () => providerByBearer(person()),
  signUpProvider: () => toComplete(providerInBrowser({ sub: fresh() }), "/api/sign-in/provider", fresh()),
  signUpProviderBearer: () => toComplete(providerByBearer({ sub: fresh() }), "/api/bearer/sign-in/provider", fresh()),
  identities: ({ user }) => Effect.as(linkedSubject(user), {}),
  beginIdentity: beginsFlow,
  addIdentity: newIdentity,
  removeIdentity: () => Effect.succeed({ handle: "x" }),
  beginConfirmation: beginsFlow,
  confirmProvider: (client) =>
    Effect.gen(function* () {
      const { subject: sub } = yield* linkedSubject(client.user)
      return { json: yield* codeFrom(client, "/api/confirm/with/test", { sub, auth_time: 1e12 }, client) }
    }),
  factorRecovery: ({ user }) => Effect.map(inBrowser(user), ({ client }) => ({ client })),
  factorRecoveryBearer: ({ user }) => recoveryOf(user),
  requestFactorRecovery: ({ user }) => Effect.map(inBrowser(user), ({ client }) => ({ client })),
  requestFactorRecoveryBearer: ({ user }) => recoveryOf(user),
  cancelFactorRecovery: (client) => Effect.map(readyLink(client), ({ token }) => ({ json: { token } })),
  completeFactorRecovery: (client) => Effect.map(readyLink(client), (json) => ({ json })),
  signOut: nothing,
  me: nothing,
  changePassword: ({ user }) => Effect.succeed({ json: { current: user.password, password } }),
  signInMethods: nothing,
  setPassword: (client) => Effect.as(withoutPassword(client), { json: { password } }),
  removePassword: (client) =>
    Effect.as(newPasskey(client), { json: { current: client.user.password, keep_tokens: true } }),
  confirmPasskeyOptions: nothing,
  confirmPasskey: (client) =>
    Effect.gen(function* () {
      const device = yield* newPasskey(client)
      const options = (yield* client.json("POST", "/api/confirm/passkey/options")).json as RequestOptions
      return { json: { credential: device.get(options) } }
    }),
  confirm: ({ user }) => Effect.succeed({ json: { current: user.password } }),
  forgotPassword: ({ user }) => Effect.succeed({ json: { email: user.email } }),
  resetPassword: resetLink,
  resendVerification: nothing,
  verify: () =>
    Effect.gen(function* () {
      const client = yield* TestApp.signedInUser(yield* unverified)
      yield* client.json("POST", "/api/verification")
      return { client, json: { token: yield* lastToken(client.user.email, "/verify") } }
    }),
  sessions: nothing,
  endSession: () => Effect.succeed({ handle: "x" }),
  endOthers: nothing,
  devices: ({ user }) =>
    Effect.gen(function* () {
      const { client, json } = yield* credentials(user)
      yield* client.json("POST", "/api/sign-in", { ...json, remember: true })
      return { client }
    }),
  forgetDevice: () => Effect.succeed({ handle: "x" }),
  activity: nothing,
  tokens: (client) => Effect.as(client.json("POST", "/api/tokens", { name: "Backup", scopes: ["notes:read"] }), {}),
  createToken: ({ user }) =>
    Effect.succeed({ json: { name: "Backup", scopes: ["notes:read"], days: 7, current: user.password } }),
  revokeToken: () => Effect.succeed({ handle: "x" }),
  email: nothing,
  changeEmail: () => Effect.succeed({ json: { email: fresh() } }),
  cancelEmailChange: nothing,
  redeemEmailChange: (client) => Effect.map(linkToNew(client), ({ token }) => ({ json: { token } })),
  undoEmailChange: (client) => Effect.map(undoLink(client), (token) => ({ json: { token } })),
  deletion: nothing,
  requestDeletion: nothing,
  cancelDeletion: nothing,
  exported: nothing,
  signOutEverywhere: nothing,
  passkeys: (client) => Effect.as(PasskeyUser.add(client), {}),
  passkeyOptions: nothing,
  addPasskey: (client) =>
    Effect.map(PasskeyUser.creationOptions(client), (options) => ({
      json: { name: "Phone", credential: new SoftAuthenticator(TestApp.appUrl).create(options) }
    })),
  renamePasskey: () => Effect.succeed({ json: { name: "Phone" }, handle: "x" }),
  removePasskey: () => Effect.succeed({ handle: "x" }),
  factors: (client) => Effect.as(FactorApp.enrol(client.user), {}),
  beginApp: nothing,
  addApp: (client) => Effect.map(newApp(client), (json) => ({ json })),
  removeApp: () => Effect.succeed({ handle: "x" }),
  renewRecoveryCodes: (client) => Effect.as(FactorApp.enrol(client.user), {}),
  askOnEveryDevice: () => Effect.succeed({ json: { every_device: true } })
}

/** What is invalid, used up, or taken by another. */
const refused: Readonly<Record<string, Prepare>> = {
  "signUpBearer 403": () => newcomer(`suspended-${fresh()}`),
  "signIn 202": ({ user }) => Effect.zipRight(FactorApp.enrol(user), credentials(user)),
  "signIn 401": ({ user }) => credentials({ ...user, password }),
  "signInBearer 202": ({ user }) => Effect.zipRight(FactorApp.enrol(user), credentials(user)),
  "signInBearer 401": ({ user }) => credentials({ ...user, password }),
  "signInBearer 403": () => Effect.flatMap(suspended, credentials),
  "signInFactor 401": ({ user }) =>
    Effect.flatMap(inBrowser(user), ({ client, secret }) =>
      Effect.map(FactorApp.wrongCode(secret), (code) => ({ client, json: { code } }))
    ),
  "signInPasskey 401": () => Effect.succeed({ json: noPasskey }),
  "signInPasskey 429": () => Effect.succeed({ json: noPasskey }),
  "signInPasskeyBearer 401": () => Effect.succeed({ json: noPasskey }),
  "signInPasskeyBearer 403": () => Effect.flatMap(Effect.flatMap(suspended, TestApp.bearerUser), passkeyByBearer),
  "signInPasskeyBearer 429": () => Effect.succeed({ json: noPasskey }),
  "signInFactorOptions 410": nothing,
  "signInFactorOptionsBearer 410": () => Effect.succeed({ json: noCode }),
  "signInFactorOptionsBearer 429": () => Effect.succeed({ json: noCode }),
  "signInFactorPasskey 401": ({ user }) => Effect.map(inBrowser(user), ({ client }) => ({ client, json: noPasskey })),
  "signInFactorPasskeyBearer 401": ({ user }) =>
    Effect.map(byBearer(user), ({ client, pending }) => ({ client, json: { ...noPasskey, pending } })),
  "signInFactorPasskeyBearer 403": () =>
    Effect.flatMap(Effect.flatMap(suspended, TestApp.bearerUser), pendingPasskeyByBearer),
  ...Object.fromEntries(
    ["signInFactorPasskey", "signInFactorPasskeyBearer"].flatMap((name) =>
      ["410", "429"].map((status) => [`${name} ${status}`, () => Effect.succeed({ json: { ...noPasskey, ...noCode } })])
    )
  ),
  "signInProvider 202": withFactorAt(providerInBrowser),
  "signInProviderBearer 202": withFactorAt(providerByBearer),
  "signInProvider 401": lockedAt(providerInBrowser),
  "signInProviderBearer 401": lockedAt(providerByBearer),
  "signInProviderBearer 403": suspendedAt(providerByBearer),
  "signUpProvider 202": ({ user }) =>
    toComplete(providerInBrowser({ sub: fresh() }), "/api/sign-in/provider", user.email),
  "signUpProviderBearer 202": ({ user }) =>
    toComplete(providerByBearer({ sub: fresh() }), "/api/bearer/sign-in/provider", user.email),
  "signUpProviderBearer 403": () =>
    toComplete(providerByBearer({ sub: fresh() }), "/api/bearer/sign-in/provider", `suspended-${fresh()}`),
  ...Object.fromEntries(
    ["signInProvider", "signInProviderBearer", "addIdentity", "confirmProvider"].flatMap((name) => [
      [`${name} 410`, () => Effect.succeed({ json: noFlow })],
      [`${name} 429`, () => Effect.succeed({ json: noFlow })]
    ])
  ),
  ...Object.fromEntries(
    ["signUpProvider", "signUpProviderBearer"].flatMap((name) => [
      [`${name} 410`, () => Effect.succeed({ json: { ...noFlow, email: fresh() } })],
      [`${name} 429`, () => Effect.succeed({ json: { ...noFlow, email: fresh() } })]
    ])
  ),
  ...Object.fromEntries(
    ["beginProvider", "beginProviderBearer", "beginIdentity", "beginConfirmation"].flatMap((name) => [
      [`${name} 422`, () => Effect.succeed({ handle: "test", json: { ...begins, return_to: "https://x.example" } })],
      [`${name} 429`, beginsFlow],
      [`${name} 503`, () => Effect.succeed({ handle: "down", json: begins })]
    ])
  ),
  "addIdentity 409": (client) =>
    Effect.gen(function* () {
      const { subject: sub } = yield* linkedSubject(yield* TestApp.enrolledUser())
      return { json: yield* codeFrom(client, "/api/identities/with/test", { sub }, client) }
    }),
  "removeIdentity 429": ({ user }) =>
    Effect.gen(function* () {
      const { hit } = yield* RateLimit
      const rule = AuthRateLimits.rules.credentialsPerAccount
      for (let spent = 0; spent < rule.limit; spent++) yield* hit(rule, user.id)
      return { handle: (yield* linkedSubject(user)).handle }
    }),
  "removeIdentity 409": (client) =>
    Effect.gen(function* () {
      const { handle } = yield* linkedSubject(client.user)
      yield* withoutPassword(client)
      return { handle }
    }),
  "signInFactor 410": () => Effect.succeed({ json: noCode }),
  "signInFactorBearer 401": ({ user }) =>
    Effect.flatMap(byBearer(user), ({ client, pending, secret }) =>
      Effect.map(FactorApp.wrongCode(secret), (code) => ({ client, json: { code, pending } }))
    ),
  "signInFactorBearer 403": () => Effect.flatMap(suspended, rightBearerCode),
  "signInFactorBearer 410": () => Effect.succeed({ json: noCode }),
  "signInFactor 429": () => Effect.succeed({ json: noCode }),
  "signInFactorBearer 429": () => Effect.succeed({ json: noCode }),
  "factorRecovery 410": nothing,
  "factorRecoveryBearer 410": () => Effect.succeed({ json: noCode }),
  "requestFactorRecovery 410": nothing,
  "requestFactorRecoveryBearer 410": () => Effect.succeed({ json: noCode }),
  "requestFactorRecoveryBearer 403": () => Effect.flatMap(unverified, recoveryOf),
  "requestFactorRecovery 503": () =>
    Effect.flatMap(TestApp.enrolledUser({ email: `undeliverable-${fresh()}` }), (user) =>
      Effect.map(inBrowser(user), ({ client }) => ({ client }))
    ),
  "requestFactorRecoveryBearer 503": () =>
    Effect.flatMap(TestApp.enrolledUser({ email: `undeliverable-${fresh()}` }), recoveryOf),
  "cancelFactorRecovery 410": () => Effect.succeed({ json: bogus }),
  "completeFactorRecovery 410": () => Effect.succeed({ json: bogus }),
  "completeFactorRecovery 422": (client) =>
    Effect.map(readyLink(client), ({ token }) => ({ json: { token, password: "not this one" } })),
  "resetPassword 410": () => Effect.succeed({ json: { ...bogus, password } }),
  "resetPassword 422": (client) =>
    Effect.map(resetLink(client), ({ client: guest, json }) => ({ client: guest, json: { ...json, password: "x" } })),
  "verify 410": () => Effect.succeed({ json: bogus }),
  "activity 400": () => Effect.succeed({ query: "?cursor=none" }),
  "changeEmail 422": () => Effect.succeed({ json: { email: "nobody" } }),
  "redeemEmailChange 410": () => Effect.succeed({ json: bogus }),
  "undoEmailChange 410": () => Effect.succeed({ json: bogus }),
  "redeemEmailChange 409": (client) =>
    Effect.gen(function* () {
      const { email, token } = yield* linkToNew(client)
      yield* TestApp.enrolledUser({ email })
      return { json: { token } }
    }),
  "setPassword 422": () => Effect.succeed({ json: { password } }),
  "removePassword 409": ({ user }) => Effect.succeed({ json: { current: user.password } }),
  "confirmPasskey 422": () => Effect.succeed({ json: noPasskey }),
  "confirmPasskey 429": () => Effect.succeed({ json: noPasskey }),
  "removePasskey 409": (client) =>
    Effect.map(Effect.zipLeft(PasskeyUser.add(client), withoutPassword(client)), ({ handle }) => ({ handle })),
  "renamePasskey 422": () => Effect.succeed({ json: {}, handle: "x" }),
  "addApp 410": () => Effect.succeed({ json: { enrolment: "x", name: "App", code: "123456" } }),
  // As many notices as one address gets in an hour.
  "requestDeletion 429": ({ user: { email } }) =>
    Effect.gen(function* () {
      const { hit } = yield* RateLimit
      const rule = AuthRateLimits.rules.noticesPerRecipient
      for (let count = 0; count < rule.limit; count++) yield* hit(rule, email)
      return {}
    }),
  "renewRecoveryCodes 429": (client) => Effect.as(FactorApp.enrol(client.user), {}),
  "renewRecoveryCodes 422": nothing
}

// An old address is kept for its account while it can be restored: nothing in this program takes it.
const unreachable = new Set([
  "undoEmailChange 409",
  // Only a policy of second factors refuses these reads, and it leaves out what a person does with their own account.
  ...["me", "signInMethods", "sessions", "devices", "activity", "tokens"].map((name) => `${name} 403`)
])

// Shorter than the default: the workers run every ten minutes of the test clock.
const delay = Duration.hours(1)

const Nothing = Schema.Struct({})

const refuse = ({ email }: { readonly email: string }) =>
  email.startsWith("suspended") ? FormState.invalid(Nothing, { status: 403, error: "Suspended." }) : Effect.void

const hooks = SqlAccountHooks.layer({ signUp: { inTransaction: refuse }, signIn: { inTransaction: refuse } })

const mailer = Layer.effect(
  Mailer.Mailer,
  Effect.map(Mailer.Mailer, ({ send }) =>
    Mailer.fromSend((message) =>
      message.to.startsWith("undeliverable")
        ? new Mailer.MailDeliveryError({ reason: "the mail server refused (550)" })
        : send(message)
    )
  )
)

// Nothing listens there.
const down = OidcProvider.layer({
  id: "down",
  issuer: "https://down.invalid",
  clientId: "a",
  clientSecret: Redacted.make("b")
})

const server = TestApp.layerOf(app, {
  environment: "production",
  hashing: PasswordQueue.layer,
  settings: { factorRecoveryDelay: delay, returnUrls: [listed] },
  services: Layer.provideMerge(everything, Layer.mergeAll(hooks, mailer, TestProvider.layer(), Layer.orDie(down)))
})

const own503 = /schemas\/(Overloaded|Undelivered|ProviderDown)"/

/** While too many passwords are hashed. A reset, whose link is used by then, is tried again for twenty seconds. */
const whileBusy = <A, E, R>(send: Effect.Effect<A, E, R>) =>
  PasswordQueue.full(
    Effect.raceFirst(
      send,
      Effect.forever(
        Effect.zipRight(TestClock.adjust("500 millis"), TestServices.provideLive(Effect.sleep("5 millis")))
      )
    )
  )

layer(server)("The document of accounts", (it) => {
  for (const { method, operation, path } of ApiDocument.endpoints(document)) {
    const name = String(operation.operationId).replace(/^accounts\./, "")
    const prepare = valid[name]
    const hasBody = operation.requestBody !== undefined

    // Without an invalid input of its own, an endpoint refuses only members of another type.
    const isOwn422 = JSON.stringify(operation.responses["422"] ?? "").includes("InvalidInput")
    const wrong = {
      token: 5,
      every_device: "5",
      secret: 5,
      pending: 5,
      on: "5",
      flow: 5,
      credential: 5,
      keep_tokens: "5"
    }

    const send = Effect.fnUntraced(function* (member: Member, sent: Sent, more: { readonly isForged?: boolean } = {}) {
      const client = sent.client ?? member
      const at = path.replace(/\{\w+\}/g, sent.handle ?? "x") + (sent.query ?? "")
      if (more.isForged !== true) return yield* client.json(method.toUpperCase(), at, sent.json)
      const json = hasBody ? { json: sent.json ?? {} } : {}
      return yield* client.request(at, { method: method.toUpperCase(), ...json })
    })

    const sendText = Effect.fnUntraced(function* (client: TestClient, body: string) {
      const { token } = (yield* client.json("GET", "/api/csrf")).json as { readonly token: string }
      const headers = { accept: "application/json", "content-type": "application/json", "x-csrf-token": token }
      return yield* client.request(path, { method: method.toUpperCase(), body, headers })
    })

    const provoke = Effect.fnUntraced(function* (status: string) {
      const client = yield* TestApp.signedInUser()
      const given = refused[`${name} ${status}`]
      if (status === "429") {
        const sent = given === undefined ? {} : yield* given(client)
        let last = yield* send(client, sent)
        for (let more = 0; more < 20 && last.status !== 429; more++) last = yield* send(client, sent)
        return last
      }
      if (given !== undefined) return yield* send(client, yield* given(client))
      if (["200", "201", "202"].includes(status)) return yield* send(client, yield* Effect.orDie(ready(client)))
      if (status === "401") return yield* send({ ...(yield* TestApp.guest), user: client.user }, {})
      if (status === "403") {
        if (method !== "get") return yield* send(client, {}, { isForged: true })
        yield* TestClock.adjust("10 minutes")
        return yield* send(client, {})
      }
      if (status === "503") return yield* Effect.flatMap(ready(client), (sent) => whileBusy(send(client, sent)))
      if (status === "400" && hasBody) return yield* sendText(client, "[")
      if (status === "400") return yield* send(client, { handle: "%ff" })
      if (status === "413") return yield* sendText(client, " ".repeat(defaultLimit + 1))
      if (status === "422") return yield* send(client, { json: isOwn422 ? {} : wrong })
      return expect.fail(`nothing provokes ${name} ${status}`)
    })

    const ready: Prepare = (client) =>
      prepare === undefined ? Effect.dieMessage(`nothing is known of ${name}`) : prepare(client)

    for (const [status, part] of Object.entries(operation.responses)) {
      if (["500", "default"].includes(status) || unreachable.has(`${name} ${status}`)) continue
      // Any program may be too busy, or without its database; some of these operations say so by themselves.
      if (status === "503" && !own503.test(JSON.stringify(part))) continue
      it.effect(`${name} answers ${status} as it is declared`, () =>
        Effect.gen(function* () {
          const received = yield* provoke(status)
          expect(received.status, received.body).toBe(Number(status))
          const { content, headers } = ApiDocument.responseOf(document, part)
          for (const header of Object.keys(headers ?? {})) expect(received.headers.has(header), header).toBe(true)
          const type = (received.headers.get("content-type") ?? "").split(";", 1)[0] ?? ""
          const schema = content?.[type]?.schema
          if (schema === undefined) return expect.fail(`${type} is not declared`)
          expect(check(schema, received.json)).toBe("")
        })
      )
    }
  }
})
