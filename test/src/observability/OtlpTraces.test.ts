import { describe, expect, it } from "@effect/vitest"
import { Cause, Exit, FastCheck, FiberId, Tracer } from "effect"
import * as RecordLine from "../../../src/errors/internal/RecordLine.ts"
import * as OtlpTraces from "../../../src/observability/internal/export/OtlpTraces.ts"
import * as ServerSpan from "../../../src/observability/internal/ServerSpan.ts"
import * as OtlpText from "../../support/OtlpText.ts"

const resource = { service: "shop", attributes: { "service.version": "1.2.3" } }

const record: OtlpTraces.SpanRecord = {
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  parentSpanId: undefined,
  state: "",
  name: "GET /articles/:id",
  kind: "server",
  start: 1_700_000_000_000_000_001n,
  end: 1_700_000_000_000_000_002n,
  attributes: new Map(),
  events: [],
  links: [],
  exit: Exit.void
}

const { make } = RecordLine.maker({ root: "", locate: (place) => place, read: () => undefined })
const recordOf: OtlpTraces.RecordOf = (throwable, at) => make(throwable, {}, at)

const encoded = (given: Partial<OtlpTraces.SpanRecord>) => {
  const [span] = OtlpText.spans(OtlpTraces.encode([{ ...record, ...given }], resource, recordOf))
  if (span === undefined) throw new Error("there is none")
  return span
}

describe("a span in OTLP", () => {
  it("has its ids, its times to the nanosecond, its kind and the resource", () => {
    expect(encoded({ parentSpanId: "00f067aa0ba902b7", state: "vendor=1" })).toMatchObject({
      traceId: record.traceId,
      spanId: record.spanId,
      parentSpanId: "00f067aa0ba902b7",
      traceState: "vendor=1",
      name: "GET /articles/:id",
      kind: 2,
      start: record.start,
      end: record.end,
      status: 0,
      resource: { "service.name": "shop", "service.version": "1.2.3" }
    })
  })

  it("does not end before it began, whatever the clock did", () => {
    expect(encoded({ end: record.start - 5n }).end).toBe(record.start)
  })

  it("has links and events", () => {
    const span = Tracer.externalSpan({ traceId: "1".repeat(32), spanId: "2".repeat(16) })
    const made = encoded({
      links: [{ _tag: "SpanLink", span, attributes: {} }],
      events: [{ name: "retried", at: record.start, attributes: { count: 2 } }]
    })
    expect(made.links).toEqual([{ traceId: "1".repeat(32), spanId: "2".repeat(16) }])
    expect(made.events).toEqual([{ name: "retried", attributes: { count: 2 } }])
  })

  it.prop(
    "is valid whatever its attributes are",
    [
      FastCheck.dictionary(FastCheck.string({ minLength: 1 }), FastCheck.anything()),
      FastCheck.string({ minLength: 1 })
    ],
    ([attributes, name]) => {
      const made = encoded({ attributes: new Map(Object.entries(attributes)), name: `x${name}` })
      expect(Object.keys(made.attributes).length).toBeLessThanOrEqual(Object.keys(attributes).length)
    }
  )

  it("is bounded, and shows no secret", () => {
    const many = new Map<string, unknown>(Array.from({ length: 1000 }, (_, at) => [`a${at}`, at]))
    expect(Object.keys(encoded({ attributes: many }).attributes)).toHaveLength(64)
    const attributes = new Map<string, unknown>([
      ["authorization", "Bearer abcdefghijkl"],
      ["note", "password=hunter22"],
      ["long", "x".repeat(1_000_000)]
    ])
    const shown = JSON.stringify(encoded({ attributes }).attributes)
    expect(shown).not.toMatch(/abcdefghijkl|hunter22/)
    expect(shown.length).toBeLessThan(5000)
  })
})

describe("the failure of a span", () => {
  const failed = (exit: Exit.Exit<unknown, unknown>) => encoded({ exit })

  it("is none after a success or an interruption", () => {
    for (const exit of [Exit.void, Exit.interrupt(FiberId.none)]) {
      expect(failed(exit)).toMatchObject({ status: 0, events: [] })
    }
  })

  it("is a status alone where no exception was reported", () => {
    const made = failed(ServerSpan.exit({ status: 503, failed: false }))
    expect(made).toMatchObject({ status: 2, events: [] })
  })

  it("has the class, the message without secrets, and the frames", () => {
    const made = failed(Exit.failCause(Cause.die(new TypeError("token=abcdefgh is odd"))))
    expect(made.status).toBe(2)
    const [event] = made.events
    expect(event?.name).toBe("exception")
    expect(event?.attributes).toMatchObject({
      "exception.type": "TypeError",
      "exception.stacktrace": expect.stringContaining("OtlpTraces.test.ts"),
      "exception.fingerprint": expect.stringMatching(/^[0-9a-f]{16}$/)
    })
    expect(JSON.stringify(made, (_, value) => (typeof value === "bigint" ? String(value) : value))).not.toContain(
      "abcdefgh"
    )
  })
})
