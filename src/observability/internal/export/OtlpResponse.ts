// How to react to a collector's response: done, retry or give up.
import { Schema } from "effect"
import { ExportFailed, type ExportSummary } from "../../MetricsExporter.ts"

/** The reaction to a response. */
export type ExportResult =
  | { readonly _tag: "Accepted"; readonly summary: ExportSummary }
  /** The same request may succeed later; `retryAfter` is the delay in seconds that the collector asks for. */
  | { readonly _tag: "Retry"; readonly failure: ExportFailed; readonly retryAfter: number | undefined }
  | { readonly _tag: "Refused"; readonly failure: ExportFailed }

/** The parts of a response that matter. */
export interface CollectorResponse {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: string
}

/** The only statuses that OTLP allows a client to retry. */
const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Whether the same data may be accepted later: the collector is away, starting or busy. */
export const isRetryable = ({ status }: ExportFailed): boolean => status === undefined || retryable.has(status)

/** The reaction to a response; `now` in epoch seconds, for a date in `Retry-After`. */
export const interpret = ({ body, retryAfter, status }: CollectorResponse, now: number): ExportResult => {
  if (status >= 200 && status < 300) return { _tag: "Accepted", summary: { status, ...rejection(body) } }
  const failure = new ExportFailed({ status, reason: excerpt(body) })
  if (retryable.has(status)) return { _tag: "Retry", failure, retryAfter: parseRetryAfter(retryAfter, now) }
  return { _tag: "Refused", failure }
}

/** The number of requests after which the export fails. */
export const maxAttempts = 5

/**
 * Seconds before the next request: what the collector asks for, else twice as long each time. `random` spreads them, so
 * that many machines do not retry at the same moment.
 */
export const retryDelay = (attempt: number, retryAfter: number | undefined, random: number): number => {
  if (retryAfter !== undefined) return Math.min(retryAfter, 300)
  return Math.min(2 ** attempt, 30) * (0.5 + random / 2)
}

// A 64-bit integer is a string in OTLP/JSON, but some collectors send a number.
const count = Schema.optional(Schema.Union(Schema.Number, Schema.NumberFromString))

const decodeBody = Schema.decodeUnknownOption(
  Schema.parseJson(
    Schema.Struct({
      partialSuccess: Schema.optional(
        Schema.Struct({
          rejectedDataPoints: count,
          rejectedSpans: count,
          rejectedLogRecords: count,
          errorMessage: Schema.optional(Schema.String)
        })
      )
    })
  )
)

// An empty body, or one that is not JSON, means that nothing was rejected.
const rejection = (body: string): { readonly rejected: number; readonly message: string } => {
  const decoded = decodeBody(body)
  const partial = decoded._tag === "Some" ? decoded.value.partialSuccess : undefined
  const rejected = partial?.rejectedDataPoints ?? partial?.rejectedSpans ?? partial?.rejectedLogRecords ?? 0
  return { rejected, message: excerpt(partial?.errorMessage ?? "") }
}

// Seconds or a date.
const parseRetryAfter = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date / 1000 - now)
}

// Untrusted text that is printed to a terminal: one short line without control characters.
const excerpt = (text: string): string =>
  text
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, 200)
