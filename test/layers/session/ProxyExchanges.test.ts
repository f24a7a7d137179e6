import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ProxyExchanges from "../../../layers/session/ProxyExchanges.ts"
import * as ClientAddress from "../../../src/session/ClientAddress.ts"
import { Exchanges } from "../../../src/http/Exchange.ts"

const facts = { method: "GET", url: "/a/b?c=d", headers: {}, remoteAddress: "::ffff:192.0.2.7", route: "/a/:b" }

const open = (trusted: string, headers: Readonly<Record<string, string>>) =>
  Effect.map(Exchanges, (exchanges) => exchanges.open({ ...facts, headers })).pipe(
    Effect.provide(ProxyExchanges.layerWith(ClientAddress.parseTrusted(trusted) ?? []))
  )

describe("LiveExchanges", () => {
  it.effect("gives each request its own id, and workers different ones", () =>
    Effect.gen(function* () {
      const ids = yield* Effect.map(Exchanges, (exchanges) =>
        Array.from({ length: 100 }, () => exchanges.open(facts).id)
      ).pipe(Effect.provide(ProxyExchanges.layerWith([])))
      const other = yield* open("", {})
      expect(new Set([...ids, other.id]).size).toBe(101)
    })
  )

  it.effect("knows the path without its query and the pattern of the route", () =>
    Effect.gen(function* () {
      const exchange = yield* open("", {})
      expect(exchange.path).toBe("/a/b")
      expect(exchange.route).toBe("/a/:b")
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
      const exchange = yield* open("", {})
      expect([exchange.headers.size, exchange.cookies.size]).toEqual([0, 0])
      exchange.headers.set("x-a", "b")
      expect((yield* open("", {})).headers.size).toBe(0)
    })
  )
})
