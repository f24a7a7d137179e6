import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Exit, Option, type Tracer } from "effect"
import * as OtlpTracer from "../../../layers/observability/internal/OtlpTracer.ts"
import * as CauseThrowables from "../../../src/errors/internal/CauseThrowables.ts"
import * as Stack from "../../../src/errors/internal/Stack.ts"
import type { SpanRecord } from "../../../src/observability/internal/export/OtlpTraces.ts"
import * as Sampler from "../../../src/observability/internal/Sampler.ts"
import type * as Tracing from "../../../src/observability/internal/Tracing.ts"
import * as TraceContext from "../../../src/http/internal/TraceContext.ts"

const collecting = (sampler: Sampler.Sampler = Sampler.make("parentbased_always_on", 1)) => {
  const spans: Array<SpanRecord> = []
  return { spans, tracer: OtlpTracer.make(sampler, (span) => void spans.push(span)) }
}

const remote = (sampled: boolean) =>
  TraceContext.toSpan({ traceId: "1".repeat(32), spanId: "2".repeat(16), sampled, state: "vendor=1" })

describe("The tracer", () => {
  it.effect("collects spans when they end, with their attributes, events and parents", () =>
    Effect.gen(function* () {
      const { spans, tracer } = collecting()
      const inner = Effect.withSpan(Effect.annotateCurrentSpan("rows", 3), "inner", { kind: "client" })
      yield* Effect.withTracer(Effect.withSpan(inner, "outer"), tracer)
      const [first, second] = spans
      expect(first).toMatchObject({
        name: "inner",
        kind: "client",
        parentSpanId: second?.spanId,
        traceId: second?.traceId
      })
      expect(first?.attributes.get("rows")).toBe(3)
      expect(second).toMatchObject({ name: "outer", parentSpanId: undefined, exit: Exit.void })
      expect(second?.traceId).toMatch(/^[0-9a-f]{32}$/)
      expect(second?.spanId).toMatch(/^[0-9a-f]{16}$/)
    })
  )

  it.effect("keeps the innermost span of a defect that Effect notes no span on", () =>
    Effect.gen(function* () {
      const place = Effect.fn("Orders.place")(() => Effect.dieMessage("no such order"))
      const failing = Effect.withSpan(place(), "outer")
      const cause = yield* Effect.withTracer(Effect.flip(Effect.sandbox(failing)), collecting().tracer)
      const throwable = CauseThrowables.from(cause)
      expect(throwable.spans.map(({ name }) => name)).toEqual(["Orders.place", "outer"])
      expect(Stack.origin(throwable.frames)?.file).toContain("OtlpTracer.test.ts")
    })
  )

  it.effect("continues a trace with its state, in all spans of it", () =>
    Effect.gen(function* () {
      const { spans, tracer } = collecting()
      const work = Effect.withSpan(Effect.withSpan(Effect.void, "inner"), "outer", { parent: remote(true) })
      yield* Effect.withTracer(work, tracer)
      expect(spans.map(({ state, traceId }) => [traceId, state])).toEqual([
        ["1".repeat(32), "vendor=1"],
        ["1".repeat(32), "vendor=1"]
      ])
    })
  )

  it.effect("collects nothing of a trace that is not sampled, and passes it on as such", () =>
    Effect.gen(function* () {
      const { spans, tracer } = collecting()
      const open = Effect.orDie(Effect.currentSpan)
      const work = Effect.withSpan(Effect.withSpan(open, "inner"), "outer", { parent: remote(false) })
      const span = yield* Effect.withTracer(work, tracer)
      expect(TraceContext.traceparent(span)).toBe(`00-${"1".repeat(32)}-${span.spanId}-00`)
      expect(spans).toEqual([])
    })
  )

  it("asks for the name and the time of a span only if its trace is sampled", () => {
    let asked = 0
    const start = (): Tracing.Start => {
      asked += 1
      return { name: "GET /", context: Context.empty(), links: [], startTime: 5n, kind: "server" }
    }
    const { spans, tracer } = collecting()
    const dropped = tracer.spanOf(Option.some(remote(false)), start)
    dropped.attribute("a", 1)
    dropped.event("e", 1n)
    dropped.addLinks([])
    dropped.end(9n, Exit.void)
    expect([asked, dropped.sampled, dropped.traceId]).toEqual([0, false, "1".repeat(32)])
    expect([dropped.name, dropped.kind, dropped.status, dropped.attributes.size]).toEqual([
      "GET /",
      "server",
      { _tag: "Started", startTime: 5n },
      0
    ])
    tracer.spanOf(Option.none(), start).end(9n, Exit.void)
    expect(spans).toMatchObject([{ name: "GET /", kind: "server", start: 5n, end: 9n }])
  })

  it("gives every span an id of its own", () => {
    const { tracer } = collecting(() => false)
    const spans = Array.from({ length: 2000 }, () =>
      tracer.span("a", Option.none(), Context.empty(), [], 1n, "internal")
    )
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(2000)
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2000)
    expect(spans.every(({ spanId, traceId }) => /^[0-9a-f]{16}$/.test(spanId) && /^[0-9a-f]{32}$/.test(traceId))).toBe(
      true
    )
  })

  it("gives a trace the id that it was decided by, however late somebody asks", () => {
    const half = Sampler.make("traceidratio", 0.5)
    const { tracer } = collecting(half)
    const open = (parent: Option.Option<Tracer.AnySpan>) =>
      tracer.span("a", parent, Context.empty(), [], 1n, "internal")
    const spans = Array.from({ length: 200 }, () => open(Option.none()))
    expect(new Set(spans.map(({ sampled }) => sampled)).size).toBe(2)
    for (const span of spans) {
      const { spanId, traceId } = open(Option.some(span))
      expect(half(Sampler.randomness(traceId), undefined)).toBe(span.sampled)
      expect([span.traceId, span.traceId]).toEqual([traceId, traceId])
      expect(span.spanId).toBe(span.spanId)
      expect(span.spanId).not.toBe(spanId)
    }
  })

  it("decides about the trace of another process by its id", () => {
    const { tracer } = collecting(Sampler.make("traceidratio", 0.5))
    const sampledOf = (digit: string) =>
      tracer.span(
        "a",
        Option.some(
          TraceContext.toSpan({ traceId: digit.repeat(32), spanId: "2".repeat(16), sampled: false, state: "" })
        ),
        Context.empty(),
        [],
        1n,
        "internal"
      ).sampled
    expect([sampledOf("7"), sampledOf("8")]).toEqual([true, false])
  })

  it.effect("decides once for a trace: a span of the process follows its parent", () =>
    Effect.gen(function* () {
      let asked = 0
      const { spans, tracer } = collecting(() => asked++ === 0)
      yield* Effect.withTracer(Effect.withSpan(Effect.withSpan(Effect.void, "inner"), "outer"), tracer)
      expect(spans).toHaveLength(2)
      yield* Effect.withTracer(Effect.withSpan(Effect.withSpan(Effect.void, "inner"), "outer"), tracer)
      expect(spans).toHaveLength(2)
    })
  )

  it.effect("collects a span once, with its failure", () =>
    Effect.gen(function* () {
      const { spans, tracer } = collecting()
      yield* Effect.withTracer(Effect.exit(Effect.withSpan(Effect.fail("no"), "failing")), tracer)
      expect(spans).toMatchObject([{ exit: Exit.fail("no") }])
    })
  )

  it("bounds what one span holds", () => {
    const { spans, tracer } = collecting()
    const link = { _tag: "SpanLink" as const, span: remote(true), attributes: {} }
    const span = tracer.span("busy", Option.none(), Context.empty(), [], 1n, "internal")
    for (let at = 0; at < 1000; at++) {
      span.attribute(`a${at}`, at)
      span.event(`e${at}`, 1n)
      span.addLinks([link])
    }
    span.end(2n, Exit.void)
    const [made] = spans
    expect([made?.attributes.size, made?.events.length, made?.links.length]).toEqual([256, 64, 64])
  })
})
