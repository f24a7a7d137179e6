// What a collector's answer to a shipped snapshot means.
import { Schema } from "effect"

/** Taken in, apart from what the collector rejected and why. */
export interface Delivered {
  readonly status: number
  readonly rejected: number
  readonly message: string
}

/** Not taken in. There is no status when there was no answer. */
export class ExportFailed extends Schema.TaggedError<ExportFailed>("effect-framework/observability/ExportFailed")(
  "ExportFailed",
  {
    status: Schema.UndefinedOr(Schema.Number),
    reason: Schema.String
  }
) {
  override get message(): string {
    return this.status === undefined ? this.reason : `${this.status} ${this.reason}`
  }
}

/** What to do about an answer: be content, try again, or give up. */
export type ExportResult =
  | { readonly _tag: "Delivered"; readonly delivered: Delivered }
  /** The same request may succeed later; `after` is how many seconds the collector asks for. */
  | { readonly _tag: "Later"; readonly failure: ExportFailed; readonly after: number | undefined }
  | { readonly _tag: "Refused"; readonly failure: ExportFailed }

/** What came back from the collector. */
export interface CollectorResponse {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: string
}

/** The only statuses that OTLP lets a client try again; a 400 would be refused for ever. */
const transient: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** What an answer means; `now` is needed to read a date in `Retry-After`. */
export const interpret = (answer: CollectorResponse, now: number): ExportResult => {
  const { body, retryAfter, status } = answer
  if (status >= 200 && status < 300) return { _tag: "Delivered", delivered: { status, ...rejection(body) } }
  const failure = new ExportFailed({ status, reason: excerpt(body) })
  if (transient.has(status)) return { _tag: "Later", failure, after: waiting(retryAfter, now) }
  return { _tag: "Refused", failure }
}

/** Tries in all, and the seconds before the next: doubled each time, spread so that a fleet does not knock at once. */
export const maxAttempts = 5

/** Seconds to wait before the next try: what the collector asked for, else twice as long each time. */
export const retryDelay = (attempt: number, after: number | undefined, chance: number): number => {
  if (after !== undefined) return Math.min(after, 300)
  return Math.min(2 ** attempt, 30) * (0.5 + chance / 2)
}

const partial = Schema.decodeUnknownOption(
  Schema.parseJson(
    Schema.Struct({
      partialSuccess: Schema.optional(
        Schema.Struct({
          // 64 bits travel as text, yet some collectors send a number.
          rejectedDataPoints: Schema.optional(Schema.Union(Schema.Number, Schema.NumberFromString)),
          errorMessage: Schema.optional(Schema.String)
        })
      )
    })
  )
)

// A collector may answer with nothing at all, or with something that is not JSON: then it rejected nothing.
const rejection = (body: string): { readonly rejected: number; readonly message: string } => {
  const parsed = partial(body)
  const said = parsed._tag === "Some" ? parsed.value.partialSuccess : undefined
  return { rejected: said?.rejectedDataPoints ?? 0, message: excerpt(said?.errorMessage ?? "") }
}

// Seconds, or a date.
const waiting = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date / 1000 - now)
}

// What a stranger wrote goes to a terminal: one line, no control characters, not much of it.
const excerpt = (text: string): string =>
  text
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, 200)
