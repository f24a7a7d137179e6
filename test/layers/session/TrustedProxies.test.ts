import { expect, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import * as TrustedProxies from "../../../layers/session/internal/TrustedProxies.ts"
import * as ClientAddress from "../../../src/session/ClientAddress.ts"

const read = (variables: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(TrustedProxies.config, ConfigProvider.fromMap(new Map(Object.entries(variables))))

it.effect("trusts no proxy by default", () =>
  Effect.gen(function* () {
    expect(yield* read({})).toEqual([])
    expect(yield* read({ TRUSTED_PROXIES: " " })).toEqual([])
  })
)

it.effect("reads addresses and ranges", () =>
  Effect.gen(function* () {
    const text = "10.0.0.0/8, ::1"
    expect(yield* read({ TRUSTED_PROXIES: text })).toEqual(ClientAddress.parseTrusted(text))
    expect(yield* read({ TRUSTED_PROXIES: text })).toHaveLength(2)
  })
)

it.effect("names the variable and its format for a malformed value", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(read({ TRUSTED_PROXIES: "10.0.0.0/99" }))
    expect(String(error)).toContain(
      'TRUSTED_PROXIES is "10.0.0.0/99", expected a comma-separated list of addresses or CIDR ranges'
    )
  })
)
