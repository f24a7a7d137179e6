// A tracer that samples traces and hands on the spans that have ended.
import { Context, DefaultServices, type Option, Tracer } from "effect"
import { randomBytes } from "node:crypto"
import type { SpanRecord } from "../../src/observability/OtlpTraces.ts"
import type { Sampler } from "../../src/observability/Sampler.ts"
import { CollectedSpan, UnsampledSpan } from "./CollectedSpan.ts"

// One call for many ids: random bytes cost more than the rest of a span that is not sampled.
const poolSize = 4096

const makeIds = () => {
  let bytes = Buffer.alloc(0)
  let at = 0
  const next = (length: number): string => {
    if (at + length > bytes.length) {
      bytes = randomBytes(poolSize)
      at = 0
    }
    at += length
    return bytes.toString("hex", at - length, at)
  }
  return next
}

// The spans of one process decide as the first of them.
const isSampled = (sampler: Sampler, traceId: string, parent: Option.Option<Tracer.AnySpan>): boolean => {
  if (parent._tag === "None") return sampler(traceId, undefined)
  return parent.value._tag === "Span" ? parent.value.sampled : sampler(traceId, parent.value.sampled)
}

// Effect's own function: the interpreter calls it for every step of a fiber, and a second one there is not inlined.
const { context: plain } = Context.get(DefaultServices.liveServices, Tracer.Tracer)

/** `collect` is called for each sampled span when it ends. */
export const make = (sampler: Sampler, collect: (span: SpanRecord) => void): Tracer.Tracer => {
  const randomId = makeIds()
  return Tracer.make({
    span: (name, parent, context, links, startTime, kind) => {
      const traceId = parent._tag === "Some" ? parent.value.traceId : randomId(16)
      const start = { traceId, spanId: randomId(8), name, parent, context, startTime, kind }
      return isSampled(sampler, traceId, parent) ? new CollectedSpan(start, links, collect) : new UnsampledSpan(start)
    },
    context: plain
  })
}
