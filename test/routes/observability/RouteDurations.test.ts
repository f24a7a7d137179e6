import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, FastCheck } from "effect"
import * as RouteDurations from "../../../routes/observability/internal/RouteDurations.ts"
import { isDistribution } from "../../../src/observability/internal/snapshot/Series.ts"

const event = (method: string, route: string, status: number | undefined, failed = false) => ({
  id: "a",
  at: 0,
  method,
  route,
  status,
  duration: 0.2,
  failed,
  aborted: status === undefined
})

const make = () => Either.getOrThrow(RouteDurations.make())

const counts = ({ instrument }: ReturnType<typeof make>) =>
  Object.fromEntries(
    instrument.read().map((series) => [series.labels.text, isDistribution(series) ? series.count : undefined])
  )

const record = (durations: ReturnType<typeof make>, all: ReadonlyArray<ReturnType<typeof event>>) => {
  for (const one of all) durations.observe(one, RouteDurations.classOf(one))
}

describe("the duration by route", () => {
  it("has one series for each method, pattern and class", () => {
    const durations = make()
    record(durations, [
      event("GET", "/articles/:id", 200),
      event("GET", "/articles/:id", 206),
      event("GET", "/articles/:id", 404),
      event("HEAD", "/articles/:id", 200),
      event("POST", "/articles/:id", 303),
      event("POST", "/articles/:id", 500)
    ])
    expect(counts(durations)).toEqual({
      'class="2xx",method="GET",route="/articles/:id"': 2,
      'class="4xx",method="GET",route="/articles/:id"': 1,
      'class="2xx",method="HEAD",route="/articles/:id"': 1,
      'class="3xx",method="POST",route="/articles/:id"': 1,
      'class="5xx",method="POST",route="/articles/:id"': 1
    })
    expect(durations.instrument.read()[0]).toMatchObject({ sum: 0.4, count: 2 })
  })

  it("has one value for requests without a route, and one for unknown methods", () => {
    const durations = make()
    record(durations, [
      event("GET", "", 404),
      event("BREW", "/tea", 405),
      event("PROPFIND", "", 405),
      event("-", "", 400)
    ])
    expect(counts(durations)).toEqual({
      'class="4xx",method="GET",route="unmatched"': 1,
      'class="4xx",method="_OTHER",route="/tea"': 1,
      'class="4xx",method="_OTHER",route="unmatched"': 2
    })
  })

  it("counts a client that disconnects in the class none, and a partial response as 5xx", () => {
    const durations = make()
    record(durations, [event("GET", "/a", undefined), event("GET", "/a", 999)])
    record(durations, [event("GET", "/a", 200, true)])
    expect(counts(durations)).toEqual({
      'class="5xx",method="GET",route="/a"': 1,
      'class="none",method="GET",route="/a"': 2
    })
  })

  it("counts the handshake of a WebSocket in a class of its own", () => {
    const durations = make()
    record(durations, [event("GET", "/chat", 101)])
    expect(counts(durations)).toEqual({ 'class="1xx",method="GET",route="/chat"': 1 })
  })

  it("has the trace of a request only where it is collected", () => {
    const durations = make()
    const trace = "0af7651916cd43dd8448eb211c80319c"
    const traced = { ...event("GET", "/a", 200), trace }
    durations.observe({ ...traced, sampled: false }, 1)
    expect(durations.instrument.read()[0]).not.toHaveProperty("exemplars")
    durations.observe({ ...traced, sampled: true }, 1)
    expect(durations.instrument.read()[0]).toMatchObject({ count: 2, exemplars: [{ trace, value: 0.2 }] })
  })

  it("is bounded though a server emits raw paths", () => {
    const durations = make()
    for (let index = 0; index < 5_000; index++) record(durations, [event("GET", `/users/${index}`, 200)])
    const all = counts(durations)
    expect(Object.keys(all)).toHaveLength(2_001)
    expect(all['overflow="true"']).toBe(3_000)
  })

  it.effect.prop(
    "records every request exactly once",
    [
      FastCheck.array(
        FastCheck.tuple(
          FastCheck.constantFrom("GET", "POST", "HEAD", "X", "constructor", "__proto__"),
          FastCheck.constantFrom("", "/", "/a/:id", "*", "constructor", "__proto__", "unmatched"),
          FastCheck.option(FastCheck.integer({ min: 100, max: 999 }), { nil: undefined })
        )
      )
    ],
    ([all]) =>
      Effect.sync(() => {
        const durations = make()
        record(
          durations,
          all.map(([method, route, status]) => event(method, route, status))
        )
        const total = Object.values(counts(durations)).reduce<number>((sum, count) => sum + (count ?? 0), 0)
        expect(total).toBe(all.length)
      })
  )
})
