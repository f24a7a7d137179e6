// A tracer that samples traces and hands on the spans that have ended.
import { Context, DefaultServices, type Option, Tracer } from "effect"
import type { SpanRecord } from "../../../src/observability/internal/export/OtlpTraces.ts"
import * as Sampler from "../../../src/observability/internal/Sampler.ts"
import type * as Tracing from "../../../src/observability/internal/Tracing.ts"
import { CollectedSpan, UnsampledSpan } from "./CollectedSpan.ts"
import { SpanIds } from "./SpanIds.ts"

// The spans of one process decide as the first of them.
const isSampled = (sampler: Sampler.Sampler, parent: Tracer.AnySpan): boolean =>
  parent._tag === "Span" ? parent.sampled : sampler(Sampler.randomness(parent.traceId), parent.sampled)

// Effect's own function: the interpreter calls it for every step of a fiber, and a second one there is not inlined.
const { context: plain } = Context.get(DefaultServices.liveServices, Tracer.Tracer)

/** `collect` is called for each sampled span when it ends. */
export const make = (sampler: Sampler.Sampler, collect: (span: SpanRecord) => void): Tracing.Sampling => {
  const ids = new SpanIds()
  const rootOf = (parent: Option.None<Tracer.AnySpan>, start: () => Tracing.Start): Tracer.Span => {
    const randomness = ids.randomness()
    if (!sampler(randomness, undefined)) return new UnsampledSpan(ids, randomness, parent, start)
    return new CollectedSpan({ traceId: ids.traceId(randomness), spanId: ids.spanId(), parent, ...start() }, collect)
  }
  const spanOf: Tracing.Sampling["spanOf"] = (parent, start) => {
    if (parent._tag === "None") return rootOf(parent, start)
    if (!isSampled(sampler, parent.value)) return new UnsampledSpan(ids, 0, parent, start)
    return new CollectedSpan({ traceId: parent.value.traceId, spanId: ids.spanId(), parent, ...start() }, collect)
  }
  const tracer = Tracer.make({
    span: (name, parent, context, links, startTime, kind) =>
      spanOf(parent, () => ({ name, context, links, startTime, kind })),
    context: plain
  })
  return { ...tracer, spanOf }
}
