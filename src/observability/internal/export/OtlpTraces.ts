// Spans as an OTLP/HTTP traces request in JSON.
import { Cause, type Exit, type Tracer } from "effect"
import type { ExceptionRecord } from "../../../errors/ExceptionRecords.ts"
import * as CauseThrowables from "../../../errors/internal/CauseThrowables.ts"
import type { Throwable } from "../../../errors/Throwable.ts"
import { Unreported } from "../ServerSpan.ts"
import * as ExportedLog from "./ExportedLog.ts"
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
  readonly exit: Exit.Exit<unknown, unknown>
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

/** Makes the record of a throwable, as the log of exceptions has it; `at` is in milliseconds since the epoch. */
export type RecordOf = (throwable: Throwable, at: number) => ExceptionRecord

/** Whether a span has failed, why, and the event that OpenTelemetry has for exceptions. An interruption is no failure. */
const failureOf = (
  { end, exit }: SpanRecord,
  recordOf: RecordOf
): { status: object; events: ReadonlyArray<object> } => {
  if (exit._tag === "Success" || Cause.isInterruptedOnly(exit.cause)) return { status: {}, events: [] }
  const [first] = CauseThrowables.all(exit.cause)
  if (first === undefined || first.value instanceof Unreported) return { status: { code: failed }, events: [] }
  const record = recordOf(first, Number(end / 1_000_000n))
  const exception = event({ name: "exception", at: end, attributes: ExportedLog.exceptionAttributes(record) })
  const message = OtlpValue.text(`${record.class}: ${record.message}`)
  return { status: { code: failed, message }, events: [exception] }
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

const encodeSpan = (span: SpanRecord, recordOf: RecordOf): object => {
  const { attributes, name } = StatementSpan.of(span)
  const { events, status } = failureOf(span, recordOf)
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
    events: [...span.events.map(event), ...events],
    links: span.links.map(link),
    status
  }
}

/** The body of one export request. Why a span failed is read here and not in its request. */
export const encode = (
  given: ReadonlyArray<SpanRecord>,
  resource: OtlpResource.Resource,
  recordOf: RecordOf
): string => {
  const { resource: about, scope } = envelope(resource)
  const spans = given.map((span) => encodeSpan(span, recordOf))
  return JSON.stringify({ resourceSpans: [{ resource: about, scopeSpans: [{ scope, spans }] }] })
}
