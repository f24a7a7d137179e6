// Log records as an OTLP/HTTP logs request in JSON.
import type { LogLevel } from "effect"
import type * as OtlpResource from "./OtlpResource.ts"
import { envelope } from "./OtlpResource.ts"
import * as OtlpValue from "./OtlpValue.ts"

/** One record: a log entry, or an exception. */
export interface LogRecord {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly level: LogLevel.Literal
  readonly body: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly traceId: string | undefined
  readonly spanId: string | undefined
}

const severities: Readonly<Record<LogLevel.Literal, readonly [number: number, text: string]>> = {
  All: [1, "TRACE"],
  Trace: [1, "TRACE"],
  Debug: [5, "DEBUG"],
  Info: [9, "INFO"],
  Warning: [13, "WARN"],
  Error: [17, "ERROR"],
  Fatal: [21, "FATAL"],
  None: [9, "INFO"]
}

const encodeRecord = ({ at, attributes, body, level, spanId, traceId }: LogRecord): object => {
  const [severityNumber, severityText] = severities[level]
  const timeUnixNano = String(BigInt(Math.round(at)) * 1_000_000n)
  return {
    timeUnixNano,
    observedTimeUnixNano: timeUnixNano,
    severityNumber,
    severityText,
    body: OtlpValue.any(body),
    ...OtlpValue.attributes(Object.entries(attributes)),
    ...(traceId !== undefined && { traceId }),
    ...(spanId !== undefined && { spanId })
  }
}

/** The body of one export request. */
export const encode = (records: ReadonlyArray<LogRecord>, resource: OtlpResource.Resource): string => {
  const { resource: about, scope } = envelope(resource)
  return JSON.stringify({
    resourceLogs: [{ resource: about, scopeLogs: [{ scope, logRecords: records.map(encodeRecord) }] }]
  })
}
