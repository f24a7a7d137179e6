import { afterEach, describe, expect, it, vi } from "@effect/vitest"
import { Chunk, Effect, Layer, TestClock } from "effect"
import * as AccessLog from "../../../layers/observability/AccessLog.ts"
import * as Environment from "../../../src/config/Environment.ts"
import * as RequestEvents from "../../../src/observability/RequestEvents.ts"

const event: RequestEvents.Handled = {
  id: "abc-1",
  method: "GET",
  route: "/verify/:selector/:verifier",
  status: 303,
  duration: 0.00314,
  at: 0,
  aborted: false
}

/** Provides the log, which writes to these texts. */
const logged = (environment: Environment.Name, texts: Array<string>) =>
  Effect.provide(
    AccessLog.layerWith({ write: (text) => void texts.push(text) }).pipe(
      Layer.provideMerge(RequestEvents.layer),
      Layer.provide(Environment.layerWith(environment))
    )
  )

const written = (environment: Environment.Name, events: ReadonlyArray<RequestEvents.Handled>) =>
  Effect.gen(function* () {
    const texts: Array<string> = []
    yield* Effect.gen(function* () {
      const { handled } = yield* RequestEvents.RequestEvents
      for (const one of events) handled(one)
      yield* TestClock.adjust("100 millis")
    }).pipe(logged(environment, texts))
    return texts
  })

afterEach(() => vi.restoreAllMocks())

describe("AccessLog", () => {
  it.effect("writes a line for people in development, with the route and never the path", () =>
    Effect.gen(function* () {
      const aborted = { ...event, route: "", status: undefined, aborted: true }
      expect(yield* written("development", [event, aborted])).toEqual([
        "GET /verify/:selector/:verifier 303 3.1 ms\nGET (no route) aborted 3.1 ms\n"
      ])
    })
  )

  it.effect("writes a JSON object a line elsewhere", () =>
    Effect.gen(function* () {
      const [text = ""] = yield* written("production", [event])
      expect(JSON.parse(text)).toEqual({
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        level: "INFO",
        channel: "requests",
        id: "abc-1",
        method: "GET",
        route: "/verify/:selector/:verifier",
        status: 303,
        duration_ms: 3.1
      })
    })
  )

  it.effect("says when each response ended, also where the system's clock was set since the start", () =>
    Effect.gen(function* () {
      vi.spyOn(performance, "now").mockReturnValue(90_000)
      vi.spyOn(Date, "now").mockReturnValue(Date.parse("2026-03-01T12:00:00.250Z"))
      const at = (received: number) => ({ ...event, at: received, duration: 0.125 })
      const [text = ""] = yield* written("production", [at(88_875), at(89_800), at(89_875)])
      const lines = text.trimEnd().split("\n")
      expect(lines.map((one) => JSON.parse(one).timestamp)).toEqual([
        "2026-03-01T11:59:59.250Z",
        "2026-03-01T12:00:00.175Z",
        "2026-03-01T12:00:00.250Z"
      ])
    })
  )

  it.effect("waits for nothing while no request is handled", () =>
    Effect.gen(function* () {
      const texts: Array<string> = []
      yield* Effect.gen(function* () {
        const { handled } = yield* RequestEvents.RequestEvents
        const timers = Effect.zipRight(Effect.yieldNow(), Effect.map(TestClock.sleeps(), Chunk.size))
        const whileIdle = yield* timers
        handled(event)
        yield* Effect.yieldNow()
        const whileLinesWait = yield* timers
        yield* TestClock.adjust("100 millis")
        expect([whileIdle, whileLinesWait, yield* timers, texts.length]).toEqual([0, 1, 0, 1])
        handled(event)
        yield* TestClock.adjust("100 millis")
        expect(texts).toHaveLength(2)
      }).pipe(logged("development", texts))
    })
  )

  it.effect("writes a full batch at once, and what waits when it ends", () =>
    Effect.gen(function* () {
      const texts = yield* written(
        "development",
        Array.from({ length: 133 }, () => event)
      )
      expect(texts.map((text) => text.split("\n").length - 1)).toEqual([128, 5])
    })
  )

  it.effect("says in its own format how many lines nobody read in time", () =>
    Effect.gen(function* () {
      const texts: Array<string> = []
      vi.spyOn(process.stdout, "write").mockImplementation((text) => texts.push(String(text)) > 0)
      const waiting = vi.spyOn(process.stdout, "writableLength", "get").mockReturnValue(Infinity)
      yield* Effect.gen(function* () {
        const { handled } = yield* RequestEvents.RequestEvents
        handled(event)
        handled(event)
        yield* TestClock.adjust("100 millis")
        waiting.mockReturnValue(0)
        handled(event)
        yield* TestClock.adjust("100 millis")
      }).pipe(
        Effect.provide(
          AccessLog.layer.pipe(
            Layer.provideMerge(RequestEvents.layer),
            Layer.provide(Environment.layerWith("production"))
          )
        )
      )
      const lines = texts.join("").trimEnd().split("\n")
      expect(lines.map((one) => JSON.parse(one))).toMatchObject([
        { level: "WARN", channel: "requests", message: "Log lines dropped: 2" },
        { level: "INFO", channel: "requests", status: 303 }
      ])
    })
  )
})
