// A tracer that samples traces and hands on the spans that have ended.
import { Context, DefaultServices, type Exit, Option, Tracer } from "effect"
import * as Spans from "../../../src/errors/internal/Spans.ts"
import type { SpanEvent, SpanRecord } from "../../../src/observability/internal/export/OtlpTraces.ts"
import * as Sampler from "../../../src/observability/internal/Sampler.ts"
import type * as Tracing from "../../../src/observability/internal/Tracing.ts"
import { SpanIds } from "./SpanIds.ts"
import * as TraceContext from "../../../src/http/internal/TraceContext.ts"

/** The ids of a span, and what it begins with. */
interface Start extends Tracing.Start {
  readonly traceId: string
  readonly spanId: string
  readonly parent: Option.Option<Tracer.AnySpan>
}

const maxEvents = 64
const maxLinks = 64
// More than are exported, so that the number of dropped ones is known.
const maxAttributes = 256

const stateOf = (parent: Tracer.AnySpan | undefined): string =>
  parent instanceof CollectedSpan ? parent.state : TraceContext.stateOf(parent)

/** A span of a trace that is sampled. */
class CollectedSpan implements Tracer.Span {
  readonly _tag = "Span"
  readonly sampled = true
  readonly traceId: string
  readonly spanId: string
  readonly name: string
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly context: Context.Context<never>
  readonly kind: Tracer.SpanKind
  status: Tracer.SpanStatus
  /** `tracestate` of the trace. */
  readonly state: string
  readonly attributes = new Map<string, unknown>()
  readonly links: Array<Tracer.SpanLink>
  readonly #events: Array<SpanEvent> = []
  readonly #collect: (span: SpanRecord) => void

  constructor(start: Start, collect: (span: SpanRecord) => void) {
    const { context, kind, links, name, parent, spanId, startTime, traceId } = start
    this.traceId = traceId
    this.spanId = spanId
    this.name = name
    this.parent = parent
    this.context = context
    this.kind = kind
    this.status = { _tag: "Started", startTime }
    this.links = links.slice(0, maxLinks)
    this.state = stateOf(Option.getOrUndefined(parent))
    this.#collect = collect
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    if (this.status._tag === "Ended") return
    const { startTime } = this.status
    this.status = { _tag: "Ended", startTime, endTime, exit }
    Spans.note(this, exit)
    this.#collect({
      traceId: this.traceId,
      spanId: this.spanId,
      parentSpanId: Option.getOrUndefined(this.parent)?.spanId,
      state: this.state,
      name: this.name,
      kind: this.kind,
      start: startTime,
      end: endTime,
      attributes: this.attributes,
      events: this.#events,
      links: this.links,
      exit
    })
  }

  attribute(name: string, value: unknown): void {
    if (this.attributes.size < maxAttributes || this.attributes.has(name)) this.attributes.set(name, value)
  }

  event(name: string, at: bigint, attributes: Record<string, unknown> = {}): void {
    if (this.#events.length < maxEvents) this.#events.push({ name, at, attributes })
  }

  addLinks(links: ReadonlyArray<Tracer.SpanLink>): void {
    this.links.push(...links.slice(0, maxLinks - this.links.length))
  }
}

const noAttributes: ReadonlyMap<string, unknown> = new Map()
const noLinks: ReadonlyArray<Tracer.SpanLink> = []

/** A span of a trace that is not sampled: it has its place in the trace, and that too only when it is asked for. */
class UnsampledSpan implements Tracer.Span {
  readonly _tag = "Span"
  readonly sampled = false
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly attributes = noAttributes
  readonly links = noLinks
  readonly #ids: SpanIds
  readonly #randomness: number
  readonly #start: () => Tracing.Start
  #traceId: string | undefined = undefined
  #spanId: string | undefined = undefined

  /** `randomness` is that of a trace which begins here. */
  constructor(ids: SpanIds, randomness: number, parent: Option.Option<Tracer.AnySpan>, start: () => Tracing.Start) {
    this.parent = parent
    this.#ids = ids
    this.#randomness = randomness
    this.#start = start
  }

  get traceId(): string {
    const { parent } = this
    return (this.#traceId ??= parent._tag === "Some" ? parent.value.traceId : this.#ids.traceId(this.#randomness))
  }
  get spanId(): string {
    return (this.#spanId ??= this.#ids.spanId())
  }
  get name() {
    return this.#start().name
  }
  get kind() {
    return this.#start().kind
  }
  get context() {
    return this.#start().context
  }
  get status(): Tracer.SpanStatus {
    return { _tag: "Started", startTime: this.#start().startTime }
  }
  end(): void {}
  attribute(): void {}
  event(): void {}
  addLinks(): void {}
}

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
