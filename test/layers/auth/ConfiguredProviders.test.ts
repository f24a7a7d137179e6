import { expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import * as ConfiguredProviders from "../../../layers/auth/internal/providers/ConfiguredProviders.ts"
import * as Providers from "../../../src/auth/Providers.ts"
import * as AddedProviders from "../../../src/auth/internal/providers/AddedProviders.ts"

const client = { clientId: "a", clientSecret: Redacted.make("b") }

it.effect("has the providers of the environment in their order", () =>
  Effect.gen(function* () {
    const layer = ConfiguredProviders.layerWith({
      google: { ...client, authoritativeFor: [] },
      github: client,
      microsoft: { ...client, tenant: "11111111-2222-3333-4444-555555555555", asksAgain: true },
      oidc: {
        ...client,
        issuer: "https://id.invalid",
        name: "Company",
        authoritativeFor: ["example.com"],
        network: "public",
        asksAgain: false
      }
    })
    const all = yield* Effect.flatMap(Providers.Providers, (providers) => providers.all).pipe(
      Effect.provide(Layer.provideMerge(layer, AddedProviders.layer))
    )
    expect(all.map(({ id, name }) => [id, name])).toEqual([
      ["google", "Google"],
      ["microsoft", "Microsoft"],
      ["github", "GitHub"],
      ["oidc", "Company"]
    ])
    expect(all.map(({ asksAgain }) => asksAgain)).toEqual([false, true, false, false])
    expect(all[3]?.isAuthoritativeFor("example.com")).toBe(true)
  })
)
