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
      microsoft: undefined,
      oidc: {
        ...client,
        issuer: "https://id.invalid",
        name: "Company",
        authoritativeFor: ["example.com"],
        network: "public"
      }
    })
    const all = yield* Effect.flatMap(Providers.Providers, (providers) => providers.all).pipe(
      Effect.provide(Layer.provideMerge(layer, AddedProviders.layer))
    )
    expect(all.map(({ id, name }) => [id, name])).toEqual([
      ["google", "Google"],
      ["github", "GitHub"],
      ["oidc", "Company"]
    ])
    expect(all[2]?.isAuthoritativeFor("example.com")).toBe(true)
  })
)
