import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Either, Layer } from "effect"
import * as TrustedProxies from "../../../layers/session/TrustedProxies.ts"
import * as StartupLine from "../../../src/config/internal/StartupLine.ts"
import * as ForwardedFor from "../../../src/session/internal/ForwardedFor.ts"
import { RequestStates } from "../../../src/http/internal/RequestState.ts"

const read = (variables: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(ForwardedFor.config, ConfigProvider.fromMap(new Map(Object.entries(variables))))

it.effect("trusts no proxy by default", () =>
  Effect.gen(function* () {
    expect(yield* read({})).toEqual([])
    expect(yield* read({ TRUSTED_PROXIES: " " })).toEqual([])
  })
)

it.effect("reads addresses and ranges", () =>
  Effect.gen(function* () {
    const text = "10.0.0.0/8, ::1"
    expect(yield* read({ TRUSTED_PROXIES: text })).toEqual(ForwardedFor.parseTrusted(text))
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

it.scoped("fails to start with one line about a proxy in code that is no address", () =>
  Effect.gen(function* () {
    const layer = (...networks: ReadonlyArray<string>) =>
      Layer.build(Layer.unwrapEffect(Effect.map(TrustedProxies.parse(networks), TrustedProxies.layerWith)))
    for (const malformed of ["10.0.0.0/33", "proxy.example.com", "10.0.0", "", " ::1", "::1/129"]) {
      const error = yield* Effect.flip(layer("192.0.2.1", malformed))
      expect(error).toMatchObject({ _tag: "InvalidNetwork", network: malformed })
      expect(StartupLine.line(error)).toBe(
        `The trusted proxy ${JSON.stringify(malformed)} is neither an address nor a CIDR range (see effect-framework/docs/troubleshooting.md#a-setting-in-code)`
      )
    }
  })
)

it("parses in code what the variable names", () => {
  expect(TrustedProxies.parse(["10.0.0.0/8", "::1"])).toEqual(
    Either.right(ForwardedFor.parseTrusted("10.0.0.0/8, ::1"))
  )
})

const facts = { method: "GET", url: "/a/b?c=d", headers: {}, remoteAddress: "::ffff:192.0.2.7", route: "/a/:b" }

const open = (trusted: string, headers: Readonly<Record<string, string>>) =>
  Effect.map(RequestStates, (states) => states.open({ ...facts, headers })).pipe(
    Effect.provide(TrustedProxies.layerWith(ForwardedFor.parseTrusted(trusted) ?? []))
  )

describe("requests behind proxies", () => {
  it.effect("gives each request its own id, and workers different ones", () =>
    Effect.gen(function* () {
      const ids = yield* Effect.map(RequestStates, (states) =>
        Array.from({ length: 100 }, () => states.open(facts).id)
      ).pipe(Effect.provide(TrustedProxies.layerWith([])))
      const other = yield* open("", {})
      expect(new Set([...ids, other.id]).size).toBe(101)
    })
  )

  it.effect("knows the path without its query and the pattern of the route", () =>
    Effect.gen(function* () {
      const state = yield* open("", {})
      expect(state.path).toBe("/a/b")
      expect(state.route).toBe("/a/:b")
    })
  )

  it.effect("ignores a forwarded address unless the proxy is trusted", () =>
    Effect.gen(function* () {
      const forwarded = { "x-forwarded-for": "198.51.100.9, 203.0.113.5" }
      expect((yield* open("", forwarded)).clientAddress).toBe("192.0.2.7")
      expect((yield* open("192.0.2.0/24", forwarded)).clientAddress).toBe("203.0.113.5")
      expect((yield* open("192.0.2.0/24,203.0.113.5", forwarded)).clientAddress).toBe("198.51.100.9")
    })
  )

  it.effect("adds nothing to the response until a step does", () =>
    Effect.gen(function* () {
      const state = yield* open("", {})
      expect([state.headers.size, state.cookies.size]).toEqual([0, 0])
      state.headers.set("x-a", "b")
      expect((yield* open("", {})).headers.size).toBe(0)
    })
  )
})
