// The settings and the discovery of a provider: what stops the start, and what does not.
import { expect, it } from "@effect/vitest"
import { Effect, Either, Layer, Metric, Redacted, TestClock } from "effect"
import * as ProviderConnection from "../../../layers/auth/internal/providers/ProviderConnection.ts"
import * as OidcProvider from "../../../layers/auth/OidcProvider.ts"
import * as Providers from "../../../src/auth/Providers.ts"
import * as AddedProviders from "../../../src/auth/internal/providers/AddedProviders.ts"
import * as HealthChecks from "../../../src/observability/HealthChecks.ts"
import * as TestProvider from "../../../testing/TestProvider.ts"

const clientSecret = Redacted.make("test-secret")
const flow = { state: "s", verifier: Redacted.make("v"), redirectUri: "https://app.example/back", isFresh: false }

const problemOf = <E extends { readonly message: string }>(layer: Layer.Layer<never, E, Providers.Providers>) =>
  Effect.map(
    Effect.either(Effect.scoped(Layer.build(Layer.provide(layer, AddedProviders.layer)))),
    Either.match({ onLeft: ({ message }) => message, onRight: () => undefined })
  )

const local = { id: "local", clientId: "test-client", clientSecret, network: "loopback" } as const

it.effect.each([
  [{ id: "Not An Id" }, "needs an id of lower-case letters, digits and dashes"],
  [{ issuer: "not a url" }, 'needs an https address in place of "not a url"'],
  [{ issuer: "http://id.example.com" }, "needs an https address"],
  [{ issuer: "https://10.0.0.1" }, "needs an https address"],
  [{ issuer: "https://id.example.com/.well-known/openid-configuration" }, "needs its issuer, not the address"],
  [{ issuer: "https://login.microsoftonline.com/common/v2.0" }, "needs the id of a tenant"],
  [{ issuer: "https://login.microsoftonline.com/organizations/v2.0" }, "needs the id of a tenant"],
  [{ issuer: "https://login.microsoftonline.us/Consumers/v2.0" }, "needs the id of a tenant"],
  [{ issuer: "https://sts.windows.net/common/" }, "needs the id of a tenant"],
  [{ clientId: " " }, "needs a client id"],
  [{ clientSecret: Redacted.make("") }, "needs a client secret"]
] as const)("stops the start for a wrong setting: %o", ([change, expected]) =>
  Effect.gen(function* () {
    const right = { id: "company", issuer: "https://id.invalid", clientId: "a", clientSecret }
    expect(yield* problemOf(OidcProvider.layer(right))).toBeUndefined()
    expect(yield* problemOf(OidcProvider.layer({ ...right, ...change }))).toContain(expected)
  })
)

it.scoped.each([
  ["another issuer", (document: object) => ({ ...document, issuer: "https://other.example.com" })],
  [
    "a script in place of an address",
    (document: object) => ({ ...document, authorization_endpoint: "javascript:alert(1)" })
  ],
  ["no address for the browser", (document: object) => ({ ...document, authorization_endpoint: undefined })],
  ["an unencrypted address", (document: object) => ({ ...document, authorization_endpoint: "http://id.example.com/" })]
] as const)("refuses a discovery with %s", ([, discovery]) =>
  Effect.gen(function* () {
    const server = yield* TestProvider.TestProvider
    const { provider } = yield* OidcProvider.make({ ...local, issuer: server.issuer })
    yield* server.lie({ discovery })
    expect(yield* Effect.flip(provider.authorize(flow))).toMatchObject({ _tag: "ProviderUnavailable" })
    expect(yield* provider.state).toBe("unavailable")
  }).pipe(Effect.provide(Layer.provide(TestProvider.layer(), AddedProviders.layer)))
)

it.effect.each(["https://id.invalid/realms/common", "https://id.invalid/common"])(
  "takes the word common for all tenants at Entra alone: %s",
  (issuer) =>
    Effect.gen(function* () {
      const right = { id: "company", clientId: "a", clientSecret }
      expect(yield* problemOf(OidcProvider.layer({ ...right, issuer }))).toBeUndefined()
    })
)

// The library does not compare it there, as at Entra and B2C.
it.scoped("compares the issuer of a discovery itself", () =>
  Effect.gen(function* () {
    const server = yield* TestProvider.TestProvider
    const issuer = `${server.issuer}/.well-known/openid-configuration`
    const { config } = yield* ProviderConnection.make(local, { issuer })
    expect(yield* Effect.flip(config)).toMatchObject({
      _tag: "ProviderUnavailable",
      reason: "its discovery names another issuer"
    })
  }).pipe(Effect.provide(Layer.provide(TestProvider.layer(), AddedProviders.layer)))
)

it.scoped("reads a discovery once for many, leaves a provider alone that is down, and finds it again", () =>
  Effect.gen(function* () {
    const server = yield* TestProvider.TestProvider
    const { provider } = yield* OidcProvider.make({ ...local, issuer: server.issuer })
    const asked = Effect.map(server.requests, ({ length }) => length)
    const flood = Effect.all(
      Array.from({ length: 20 }, () => Effect.either(provider.authorize(flow))),
      { concurrency: "unbounded" }
    )
    yield* server.lie({ answer: () => ({ status: 503 }) })
    expect((yield* flood).every(Either.isLeft)).toBe(true)
    expect(yield* asked).toBe(1)
    yield* server.lie({})
    expect((yield* flood).every(Either.isLeft)).toBe(true)
    yield* TestClock.adjust("30 seconds")
    expect((yield* flood).every(Either.isRight)).toBe(true)
    expect(yield* asked).toBe(2)
    // An hour later it is down again: what was read before goes on working.
    yield* TestClock.adjust("1 hour")
    yield* server.lie({ answer: () => ({ status: 503 }) })
    expect((yield* flood).every(Either.isRight)).toBe(true)
    expect(yield* asked).toBe(3)
  }).pipe(Effect.provide(Layer.provide(TestProvider.layer(), AddedProviders.layer)))
)

it.scoped("is a figure of the health checks and a metric, and never a reason to be unready", () =>
  Effect.gen(function* () {
    const server = yield* TestProvider.TestProvider
    const { all } = yield* Providers.Providers
    const [provider] = yield* all
    const seen = Effect.gen(function* () {
      const [check] = yield* (yield* HealthChecks.HealthChecks).run
      const gauge = (yield* Metric.snapshot).find(
        ({ metricKey: { name, tags } }) =>
          name === "auth_provider_unavailable" && tags.some(({ value }) => value === "test")
      )
      return { status: check?.status, ...(yield* check?.figures ?? Effect.succeed({})), gauge: gauge?.metricState }
    })
    yield* server.lie({ answer: () => ({ status: 503 }) })
    yield* Effect.flip(provider?.authorize(flow) ?? Effect.void)
    expect(yield* seen).toMatchObject({ status: "ok", ready: 0, gauge: { value: 1 } })
    yield* server.lie({})
    yield* TestClock.adjust("30 seconds")
    yield* provider?.authorize(flow) ?? Effect.void
    expect(yield* seen).toMatchObject({ status: "ok", ready: 1, gauge: { value: 0 } })
  }).pipe(
    Effect.provide(
      TestProvider.layer().pipe(Layer.provideMerge(AddedProviders.layer), Layer.provideMerge(HealthChecks.layer))
    )
  )
)

it.scoped("keeps its requests from addresses that a discovery must not name", () =>
  Effect.gen(function* () {
    const server = yield* TestProvider.TestProvider
    const { provider } = yield* OidcProvider.make({ ...local, issuer: server.issuer })
    yield* server.lie({
      discovery: (document) => ({ ...document, token_endpoint: "http://169.254.169.254/latest/meta-data" })
    })
    const parameters = new URLSearchParams({ code: "a", state: "s", iss: server.issuer })
    expect(yield* Effect.flip(provider.identify(parameters, flow))).toMatchObject({
      _tag: "ProviderUnavailable",
      reason: "its address is not allowed"
    })
  }).pipe(Effect.provide(Layer.provide(TestProvider.layer(), AddedProviders.layer)))
)

it.scoped.each(["none", "symmetric"] as const)(
  "takes no token of the algorithm %s, also where the discovery lists it",
  (signature) =>
    Effect.gen(function* () {
      const server = yield* TestProvider.TestProvider
      const { provider } = yield* OidcProvider.make({ ...local, issuer: server.issuer })
      const discovery = (document: object) => ({
        ...document,
        id_token_signing_alg_values_supported: ["none", "HS256", "RS256"]
      })
      const identify = Effect.gen(function* () {
        const { href } = yield* provider.authorize(flow)
        const path = yield* server.approve(href, { sub: "ann" })
        return yield* provider.identify(new URL(path, flow.redirectUri).searchParams, flow)
      })
      yield* server.lie({ discovery })
      expect(yield* identify).toMatchObject({ subject: "ann" })
      yield* server.lie({ discovery, signature })
      expect(yield* Effect.flip(identify)).toMatchObject({ _tag: "ProviderRefused" })
    }).pipe(Effect.provide(Layer.provide(TestProvider.layer(), AddedProviders.layer)))
)
