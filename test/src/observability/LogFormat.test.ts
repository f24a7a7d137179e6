import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, FastCheck as fc, FastCheck, Logger, TestClock } from "effect"
import * as LogFormat from "../../../src/observability/internal/LogFormat.ts"
import { droppedLine, requestJson, requestPretty } from "../../../src/observability/internal/LogFormat.ts"

type Entry = Logger.Logger.Options<unknown>

/** What a logger is given by this effect. */
const entryOf = (logs: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const entries: Array<Entry> = []
    const keep = Logger.make((entry) => void entries.push(entry))
    yield* Effect.provide(logs, Logger.replace(Logger.defaultLogger, keep))
    const [entry] = entries
    return entry ?? (yield* Effect.dieMessage("nothing was logged"))
  })

const parsed = (logs: Effect.Effect<void>) =>
  Effect.map(entryOf(logs), (entry): unknown => JSON.parse(LogFormat.json(entry)))

const spoken = (logs: Effect.Effect<void>) => Effect.map(entryOf(logs), LogFormat.pretty)

describe("a line of the program log", () => {
  it.effect("has the time, the level and the message", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_000_000)
      expect(yield* parsed(Effect.logWarning("A session was too busy to be written"))).toEqual({
        timestamp: "2023-11-14T22:13:20.000Z",
        level: "WARN",
        channel: "program",
        message: "A session was too busy to be written"
      })
      const said = yield* spoken(Effect.logInfo("Ready"))
      expect(said).toMatch(/^\d\d:\d\d:20 INFO Ready$/)
    })
  )

  it.effect("names errors, what caused them and where they were made", () =>
    Effect.gen(function* () {
      const error = new TypeError("no cups", { cause: new RangeError("7 of 6") })
      const place = { file: expect.stringMatching(/LogFormat\.test\.ts$/), line: expect.any(Number) }
      const errors = [
        { class: "TypeError", message: "no cups", ...place },
        { class: "RangeError", message: "7 of 6", ...place }
      ]
      for (const logged of [error, Cause.die(error), Cause.fail(error)]) {
        const logs = Effect.logError("A sweep failed", logged)
        expect(yield* parsed(logs)).toMatchObject({ message: "A sweep failed", errors })
        expect(yield* spoken(logs)).toMatch(
          / ERROR A sweep failed: TypeError: no cups \(\S+:\d+\), caused by RangeError: 7 of 6 \(\S+:\d+\)$/
        )
      }
    })
  )

  it.effect("has the annotations and the duration of the spans", () =>
    Effect.gen(function* () {
      const logs = Effect.zipRight(TestClock.adjust("3 seconds"), Effect.logInfo("swept")).pipe(
        Effect.withLogSpan("sweep"),
        Effect.annotateLogs({ table: "tokens", rows: 3 })
      )
      expect(yield* parsed(logs)).toMatchObject({ facts: { table: "tokens", rows: "3", sweep: "3000 ms" } })
      expect(yield* spoken(logs)).toMatch(/ INFO swept table=tokens rows=3 sweep=3000 ms$/)
    })
  )

  it.effect("shows no secret", () =>
    Effect.gen(function* () {
      const error = new Error("postgres://ann:hunter2@db refused")
      const logs = Effect.logError("password=hunter2 is wrong", { apiKey: "hunter2" }, error).pipe(
        Effect.annotateLogs({ token: "hunter2" })
      )
      for (const line of [JSON.stringify(yield* parsed(logs)), yield* spoken(logs)]) {
        expect(line).not.toContain("hunter2")
        expect(line).toContain("********")
      }
    })
  )

  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({
      unit: fc.constantFrom("\n", "\r", "\u2028", "\u0000", "\ud800", "\\", "語"),
      maxLength: 1500,
      size: "max"
    })
  )

  it.effect.prop(
    "is one line that a pipe writes atomically",
    [fc.array(text, { maxLength: 4 }), fc.dictionary(text, text, { maxKeys: 12 }), text],
    ([messages, annotations, reason]) =>
      Effect.gen(function* () {
        const logs = Effect.logError(...messages, Cause.die(new Error(reason, { cause: new Error(reason) })))
        const entry = yield* entryOf(Effect.annotateLogs(logs, annotations))
        for (const line of [LogFormat.json(entry), LogFormat.pretty(entry)]) {
          expect(Buffer.byteLength(`${line}\n`)).toBeLessThanOrEqual(LogFormat.limit)
          expect(line).not.toMatch(/[\n\r\u2028\u2029\u0085]/)
        }
        expect(JSON.parse(LogFormat.json(entry))).toMatchObject({ level: "ERROR" })
      }),
    { fastCheck: { numRuns: 40 } }
  )

  it.effect("survives what cannot be shown", () =>
    Effect.gen(function* () {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      const cyclic: Record<string, unknown> = { big: 1n }
      cyclic["self"] = cyclic
      expect(yield* parsed(Effect.logError("odd", cyclic, Cause.die(proxy)))).toMatchObject({ level: "ERROR" })
    })
  )
})

const handled = {
  id: "r1",
  method: "GET",
  at: 0,
  route: "/articles/:id",
  status: 200,
  aborted: false,
  duration: 0.00314
}

it("is short on a terminal", () => {
  expect(requestPretty(handled)).toBe("GET /articles/:id 200 3.1 ms")
  expect(requestPretty({ ...handled, route: "" })).toBe("GET (no route) 200 3.1 ms")
  expect(requestPretty({ ...handled, status: undefined })).toBe("GET /articles/:id aborted 3.1 ms")
  expect(requestPretty({ ...handled, failed: true })).toBe("GET /articles/:id failed 3.1 ms")
})

it("has the ids of the trace and of the account", () => {
  const line = requestJson({ ...handled, trace: "0af7651916cd43dd8448eb211c80319c", account: 'a"1' }, "2026")
  expect(JSON.parse(line)).toMatchObject({ trace_id: "0af7651916cd43dd8448eb211c80319c", account: 'a"1' })
})

it.prop(
  "is one JSON object with the duration to a tenth of a millisecond",
  [FastCheck.string(), FastCheck.double({ min: 0, max: 1e5, noNaN: true }), FastCheck.boolean()],
  ([route, duration, failed]) => {
    const line = requestJson({ ...handled, route, duration, failed }, "2026-01-01T00:00:00.000Z")
    expect(line).not.toContain("\n")
    expect(JSON.parse(line)).toEqual({
      timestamp: "2026-01-01T00:00:00.000Z",
      level: failed ? "ERROR" : "INFO",
      channel: "requests",
      id: "r1",
      method: "GET",
      route,
      status: 200,
      duration_ms: Math.round(duration * 10_000) / 10,
      ...(failed && { failed: true })
    })
  }
)

const at = new Date("2026-11-17T08:00:00Z")

describe("DroppedLines", () => {
  it("is text in development", () => {
    expect(droppedLine("development", "requests")(3, at)).toBe("WARN Log lines dropped: 3")
  })

  it("is a JSON object of the log's channel elsewhere", () => {
    expect(JSON.parse(droppedLine("production", "requests")(3, at))).toEqual({
      timestamp: "2026-11-17T08:00:00.000Z",
      level: "WARN",
      channel: "requests",
      message: "Log lines dropped: 3"
    })
  })
})
