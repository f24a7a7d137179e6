import { expect, it } from "@effect/vitest"
import { Effect, Either, Layer, Option, Redacted } from "effect"
import * as Microsoft from "../../../layers/auth/Microsoft.ts"
import * as Claims from "../../../src/auth/internal/providers/Claims.ts"
import * as Providers from "../../../src/auth/Providers.ts"
import * as AddedProviders from "../../../src/auth/internal/providers/AddedProviders.ts"
import * as TestProvider from "../../../testing/TestProvider.ts"

const tenant = "11111111-2222-3333-4444-555555555555"

const client = { clientId: "a", clientSecret: Redacted.make("b") }

const build = <E>(layer: Layer.Layer<never, E, Providers.Providers>) =>
  Effect.flatMap(Providers.Providers, ({ all }) => all).pipe(
    Effect.provide(Layer.provideMerge(layer, AddedProviders.layer)),
    Effect.either
  )

it.effect.each(["common", "organizations", "consumers", "example.com", "", "11111111-2222-3333-4444-55555555555G"])(
  "names its tenant by its id, and takes no other: %s",
  (tenant) =>
    Effect.gen(function* () {
      const problem = Either.flip(yield* build(Microsoft.layer({ ...client, tenant })))
      expect(Either.getOrThrow(problem).message).toContain("needs the id of a tenant")
    })
)

it.effect("speaks for no domain, and counts no second factor unless it is told to", () =>
  Effect.gen(function* () {
    const [provider] = Either.getOrThrow(yield* build(Microsoft.layer({ ...client, tenant })))
    expect(provider).toMatchObject({ id: "microsoft", name: "Microsoft", countsSecondFactor: false, asksAgain: false })
    expect(provider?.isAuthoritativeFor("example.com")).toBe(false)
    expect(yield* provider?.origins ?? Effect.succeed([])).toEqual(["https://login.microsoftonline.com"])
  })
)

// Everything that a provider of a tenant has from it, at a provider of the test: its issuer is the network.
const { accepts, issuer } = Option.getOrThrow(Claims.entra(tenant))

it("has the issuer of its tenant", () => {
  expect(issuer).toBe(`https://login.microsoftonline.com/${tenant}/v2.0`)
})

it.scoped.each([
  ["its own", { tid: tenant }, true],
  ["another one", { tid: "99999999-2222-3333-4444-555555555555" }, false],
  ["none", {}, false],
  ["a list with its own", { tid: [tenant] }, false]
] as const)("signs in accounts of its tenant alone: %s", ([, claims, isSignedIn]) =>
  Effect.gen(function* () {
    const server = yield* TestProvider.TestProvider
    const [provider] = yield* Effect.flatMap(Providers.Providers, ({ all }) => all)
    if (provider === undefined) return expect.unreachable()
    const flow = { state: "s", verifier: Redacted.make("v"), redirectUri: "https://app.example/back", isFresh: false }
    const { href } = yield* provider.authorize(flow)
    const path = yield* server.approve(href, { sub: "ann", ...claims })
    const person = yield* Effect.either(provider.identify(new URL(path, flow.redirectUri).searchParams, flow))
    expect(Either.mapLeft(person, ({ _tag, reason }) => [_tag, reason])).toMatchObject(
      isSignedIn ? Either.right({ subject: "ann" }) : Either.left(["ProviderRefused", "claims"])
    )
  }).pipe(Effect.provide(Layer.provideMerge(TestProvider.layer({ accepts }), AddedProviders.layer)))
)
