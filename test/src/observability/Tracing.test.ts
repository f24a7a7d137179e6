import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Tracer } from "effect"
import * as OtlpTracer from "../../../layers/observability/internal/OtlpTracer.ts"
import * as Sampler from "../../../src/observability/internal/Sampler.ts"
import * as Tracing from "../../../src/observability/internal/Tracing.ts"
import { exitOf, layer, parentOf, RecordedSpans } from "../../support/RecordedSpans.ts"

const parentSpan = Effect.withFiberRuntime<string | undefined>((fiber) => Effect.succeed(fiber.currentSpan?.spanId))

it.effect("is off without a tracer, and a span is then none", () =>
  Effect.gen(function* () {
    expect(yield* Tracing.isOn).toBe(false)
    expect(yield* Tracing.span("work")(parentSpan)).toBeUndefined()
    expect(yield* Effect.withSpan(Tracing.current, "native")).toBeUndefined()
  })
)

it.effect("is off where the tracer was switched off", () =>
  Effect.gen(function* () {
    expect(yield* Tracing.isOn).toBe(true)
    expect(yield* Effect.withTracerEnabled(Tracing.isOn, false)).toBe(false)
    yield* Effect.withTracerEnabled(Tracing.span("work")(Effect.void), false)
    expect(yield* RecordedSpans).toEqual([])
  }).pipe(Effect.provide(layer))
)

it.effect("is the parent of what the effect does, and ends as the effect ends", () =>
  Effect.gen(function* () {
    const inner = yield* Tracing.span("work", { kind: "client", attributes: { size: 1 } })(parentSpan)
    yield* Effect.exit(Tracing.span("failing")(Effect.fail("no")))
    const [work, failing] = yield* RecordedSpans
    expect(work).toMatchObject({ name: "work", kind: "client", spanId: inner })
    expect(work?.attributes).toEqual(new Map([["size", 1]]))
    expect(failing === undefined ? undefined : exitOf(failing)).toEqual(Exit.fail("no"))
  }).pipe(Effect.provide(layer))
)

it.effect("leaves a service alone where spans are not collected", () =>
  Effect.gen(function* () {
    const service = { find: Effect.succeed(1) }
    expect(yield* Tracing.methods("Users", service)).toBe(service)
  })
)

it.effect("names each effect of a service, and leaves its other members alone", () =>
  Effect.gen(function* () {
    const service = yield* Tracing.methods("Users", {
      find: (id: number) => Effect.succeed(id + 1),
      sweep: Effect.succeed("swept"),
      isStale: (text: string) => text === "old",
      limit: 3
    })
    expect(yield* service.find(1)).toBe(2)
    expect(yield* service.sweep).toBe("swept")
    expect(service.isStale("old")).toBe(true)
    expect(service.limit).toBe(3)
    const spans = yield* RecordedSpans
    expect(spans.map(({ name }) => name)).toEqual(["Users.find", "Users.sweep"])
    expect(spans.map(parentOf)).toEqual([undefined, undefined])
  }).pipe(Effect.provide(layer))
)

describe("in a trace that is not sampled", () => {
  const unsampled = Tracer.externalSpan({ traceId: "1".repeat(32), spanId: "2".repeat(16), sampled: false })
  const collected: Array<string> = []
  const tracer = OtlpTracer.make(Sampler.make("parentbased_always_on", 1), ({ name }) => void collected.push(name))

  it.effect("nothing is made for a service, and the span of the request is still the current one", () =>
    Effect.gen(function* () {
      const outer = yield* Effect.orDie(Effect.currentSpan)
      const inner = yield* Tracing.span("work")(Effect.orDie(Effect.currentSpan))
      expect(inner).toBe(outer)
      expect(yield* Tracing.span("work")(Tracing.current)).toBe(outer)
    }).pipe(Effect.withSpan("request", { parent: unsampled }), Effect.withTracer(tracer))
  )

  it.effect("a span with a parent of its own follows that parent", () =>
    Effect.gen(function* () {
      collected.length = 0
      const parent = Tracer.externalSpan({ traceId: "3".repeat(32), spanId: "4".repeat(16), sampled: true })
      yield* Tracing.span("delivery", { parent })(Effect.void)
      expect(collected).toEqual(["delivery"])
    }).pipe(Effect.withSpan("request", { parent: unsampled }), Effect.withTracer(tracer))
  )
})
