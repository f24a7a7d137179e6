// The spans of our own tracer: one that is collected when it ends, and one that is only passed on.
import { type Context, type Exit, Option, type Tracer } from "effect"
import { failureOf, type SpanEvent, type SpanRecord } from "../../src/observability/OtlpTraces.ts"
import * as TraceContext from "../../src/observability/TraceContext.ts"

/** What is known of a span when it starts. */
export interface Start {
  readonly traceId: string
  readonly spanId: string
  readonly name: string
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly context: Context.Context<never>
  readonly startTime: bigint
  readonly kind: Tracer.SpanKind
}

const maxEvents = 64
const maxLinks = 64
// More than are exported, so that the number of dropped ones is known.
const maxAttributes = 256

const stateOf = (parent: Tracer.AnySpan | undefined): string =>
  parent instanceof CollectedSpan ? parent.state : TraceContext.stateOf(parent)

abstract class Span {
  readonly _tag = "Span"
  readonly traceId: string
  readonly spanId: string
  readonly name: string
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly context: Context.Context<never>
  readonly kind: Tracer.SpanKind
  status: Tracer.SpanStatus

  constructor({ context, kind, name, parent, spanId, startTime, traceId }: Start) {
    this.traceId = traceId
    this.spanId = spanId
    this.name = name
    this.parent = parent
    this.context = context
    this.kind = kind
    this.status = { _tag: "Started", startTime }
  }
}

/** A span of a trace that is sampled. */
export class CollectedSpan extends Span implements Tracer.Span {
  readonly sampled = true
  /** `tracestate` of the trace. */
  readonly state: string
  readonly attributes = new Map<string, unknown>()
  readonly links: Array<Tracer.SpanLink>
  readonly #events: Array<SpanEvent> = []
  readonly #collect: (span: SpanRecord) => void

  constructor(start: Start, links: ReadonlyArray<Tracer.SpanLink>, collect: (span: SpanRecord) => void) {
    super(start)
    this.links = links.slice(0, maxLinks)
    this.state = stateOf(Option.getOrUndefined(start.parent))
    this.#collect = collect
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    if (this.status._tag === "Ended") return
    const { startTime } = this.status
    this.status = { _tag: "Ended", startTime, endTime, exit }
    const { events, failure, isFailed } = failureOf(exit, endTime)
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
      events: [...this.#events, ...events],
      links: this.links,
      isFailed,
      failure
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

const nothing: ReadonlyMap<string, unknown> = new Map()
const noLinks: ReadonlyArray<Tracer.SpanLink> = []

/** A span of a trace that is not sampled. */
export class UnsampledSpan extends Span implements Tracer.Span {
  readonly sampled = false
  readonly attributes = nothing
  readonly links = noLinks

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    this.status = { _tag: "Ended", startTime: this.status.startTime, endTime, exit }
  }
  attribute(): void {}
  event(): void {}
  addLinks(): void {}
}
