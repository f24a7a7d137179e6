// A tracer that samples traces and hands on the spans that have ended.
import { Context, DefaultServices, type Option, Tracer } from "effect"
import { randomBytes } from "node:crypto"
import type { SpanRecord } from "../../src/observability/OtlpTraces.ts"
import type { Sampler } from "../../src/observability/Sampler.ts"
import type * as Tracing from "../../src/observability/Tracing.ts"
import { CollectedSpan, UnsampledSpan } from "./CollectedSpan.ts"

// One text for many ids: random bytes and their digits cost more than the rest of a span that is not sampled.
const poolSize = 4096

const makeIds = () => {
  let digits = ""
  let at = 0
  /** So many random hexadecimal digits. */
  return (length: number): string => {
    if (at + length > digits.length) {
      digits = randomBytes(poolSize).toString("hex")
      at = 0
    }
    at += length
    return digits.slice(at - length, at)
  }
}

// The spans of one process decide as the first of them.
const isSampled = (sampler: Sampler, traceId: string, parent: Option.Option<Tracer.AnySpan>): boolean => {
  if (parent._tag === "None") return sampler(traceId, undefined)
  return parent.value._tag === "Span" ? parent.value.sampled : sampler(traceId, parent.value.sampled)
}

// Effect's own function: the interpreter calls it for every step of a fiber, and a second one there is not inlined.
const { context: plain } = Context.get(DefaultServices.liveServices, Tracer.Tracer)

/** `collect` is called for each sampled span when it ends. */
export const make = (sampler: Sampler, collect: (span: SpanRecord) => void): Tracing.Sampling => {
  const randomDigits = makeIds()
  const spanOf: Tracing.Sampling["spanOf"] = (parent, start) => {
    const traceId = parent._tag === "Some" ? parent.value.traceId : randomDigits(32)
    const spanId = randomDigits(16)
    if (!isSampled(sampler, traceId, parent)) return new UnsampledSpan(traceId, spanId, parent, start)
    return new CollectedSpan({ traceId, spanId, parent, ...start() }, collect)
  }
  const tracer = Tracer.make({
    span: (name, parent, context, links, startTime, kind) =>
      spanOf(parent, () => ({ name, context, links, startTime, kind })),
    context: plain
  })
  return { ...tracer, spanOf }
}
