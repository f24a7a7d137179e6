// Spans as an OTLP/HTTP traces request in JSON.
import { Cause, Data, type Exit, type Tracer } from "effect"
import { located } from "../../../errors/internal/debug/SourceExcerpt.ts"
import * as Redaction from "../../../errors/Redaction.ts"
import type { Place } from "../../../errors/Sources.ts"
import * as CauseThrowables from "../../../errors/internal/CauseThrowables.ts"
import type * as OtlpResource from "./OtlpResource.ts"
import { envelope } from "./OtlpResource.ts"
import * as StatementSpan from "./StatementSpan.ts"
import * as OtlpValue from "./OtlpValue.ts"

/** A span that has ended. */
export interface SpanRecord {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  /** `tracestate` of the trace; empty when there is none. */
  readonly state: string
  readonly name: string
  readonly kind: Tracer.SpanKind
  readonly start: bigint
  readonly end: bigint
  readonly attributes: ReadonlyMap<string, unknown>
  readonly events: ReadonlyArray<SpanEvent>
  readonly links: ReadonlyArray<Tracer.SpanLink>
  readonly isFailed: boolean
  /** Why, where it failed. */
  readonly failure: string | undefined
}

/** Something that happened during a span. */
export interface SpanEvent {
  readonly name: string
  readonly at: bigint
  readonly attributes: Readonly<Record<string, unknown>>
}

const kinds: Readonly<Record<Tracer.SpanKind, number>> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 }

/** STATUS_CODE_ERROR; a span that succeeded has no status. */
const failed = 2

const maxFrames = 16

/** A failure that no exception explains, such as a response with the status 503: its span has failed, and no more. */
export class Unreported extends Data.TaggedError("Unreported")<{ readonly status: number }> {
  override get message() {
    return `The response has the status ${this.status}.`
  }
}

/** The failure of an exit: its text, and the event that OpenTelemetry has for exceptions. An interruption is none. */
export const failureOf = (
  exit: Exit.Exit<unknown, unknown>,
  at: bigint,
  locate: (place: Place) => Place = (place) => place
): { readonly isFailed: boolean; readonly failure: string | undefined; readonly events: ReadonlyArray<SpanEvent> } => {
  if (exit._tag === "Success" || Cause.isInterruptedOnly(exit.cause)) {
    return { isFailed: false, failure: undefined, events: [] }
  }
  const [first] = CauseThrowables.all(exit.cause)
  if (first === undefined || first.value instanceof Unreported)
    return { isFailed: true, failure: undefined, events: [] }
  const frames = located({ locate }, first.frames.slice(0, maxFrames))
  const stack = frames.map(({ call, file, line }) => `    at ${call} (${file}:${line})`)
  const message = Redaction.text(first.message)
  const attributes = {
    "exception.type": first.class,
    "exception.message": message,
    ...(stack.length > 0 && { "exception.stacktrace": [`${first.class}: ${message}`, ...stack].join("\n") })
  }
  return {
    isFailed: true,
    failure: `${first.class}: ${message}`,
    events: [{ name: "exception", at, attributes }]
  }
}

const event = ({ at, attributes, name }: SpanEvent): object => ({
  timeUnixNano: String(at),
  name,
  ...OtlpValue.attributes(Object.entries(attributes))
})

const link = ({ attributes, span }: Tracer.SpanLink): object => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...OtlpValue.attributes(Object.entries(attributes))
})

const encodeSpan = (span: SpanRecord): object => {
  const { attributes, name } = StatementSpan.of(span)
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.state !== "" && { traceState: span.state }),
    ...(span.parentSpanId !== undefined && { parentSpanId: span.parentSpanId }),
    name: OtlpValue.text(name),
    kind: kinds[span.kind],
    startTimeUnixNano: String(span.start),
    // The clock of the machine may have been set back meanwhile.
    endTimeUnixNano: String(span.end < span.start ? span.start : span.end),
    ...OtlpValue.attributes(attributes),
    events: span.events.map(event),
    links: span.links.map(link),
    status: span.isFailed
      ? { code: failed, ...(span.failure !== undefined && { message: OtlpValue.text(span.failure) }) }
      : {}
  }
}

/** The body of one export request. */
export const encode = (spans: ReadonlyArray<SpanRecord>, resource: OtlpResource.Resource): string => {
  const { resource: about, scope } = envelope(resource)
  return JSON.stringify({
    resourceSpans: [{ resource: about, scopeSpans: [{ scope, spans: spans.map(encodeSpan) }] }]
  })
}
