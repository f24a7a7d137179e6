// Log entries and exceptions as log records for a collector.
import type { Logger } from "effect"
import type { ExceptionFrame, ExceptionRecord } from "../../../errors/ExceptionRecords.ts"
import { clip } from "../../../http/internal/text/SafeText.ts"
import * as Tracing from "../Tracing.ts"
import * as LogFormat from "../LogFormat.ts"
import * as ServerSpan from "../ServerSpan.ts"
import type { LogRecord } from "./OtlpLogs.ts"

/** The record of a log entry, with what its line on standard error has. */
export const ofEntry = (entry: Logger.Logger.Options<unknown>, locate: LogFormat.Locate): LogRecord => {
  const { errors = [], facts, message } = LogFormat.details(entry, locate)
  const { account, id, span_id, trace_id } = Tracing.correlationOf(entry.context)
  const [error] = errors
  return {
    at: entry.date.getTime(),
    level: entry.logLevel._tag,
    body: message,
    traceId: trace_id,
    spanId: span_id,
    attributes: {
      ...facts,
      "request.id": id,
      "user.id": account,
      "exception.type": error?.class,
      "exception.message": error?.message,
      "code.file.path": error?.file,
      "code.line.number": error?.line
    }
  }
}

// => at Orders.place (/app/src/Orders.ts:12)
const frameText = ({ file, function: name, line }: ExceptionFrame): string =>
  `at ${name || "(anonymous)"} (${file}:${line})`

/** `Error: no` and a line for each frame. */
const stackText = ({ class: name, frames, message }: ExceptionRecord): string | undefined =>
  frames.length === 0
    ? undefined
    : [`${name}: ${clip(message, 512)}`, ...frames.map((frame) => `    ${frameText(frame)}`)].join("\n")

/** What a log record and a span have of an exception. */
export const exceptionAttributes = (record: ExceptionRecord): Readonly<Record<string, unknown>> => ({
  "exception.type": record.class,
  "exception.message": record.message,
  "exception.stacktrace": stackText(record),
  "exception.fingerprint": record.fingerprint,
  "exception.causes": record.previous.map(
    ({ class: name, file, line, message }) => `${name}: ${message}${file === "" ? "" : ` (${file}:${line})`}`
  ),
  "code.file.path": record.file || undefined,
  "code.line.number": record.file === "" ? undefined : record.line,
  "code.function.name": record.frames[0]?.function || undefined,
  "db.query.text": record.statement
})

// A path that no route matched may be a link with a token, mistyped.
const pathOf = ({ route, uri }: ExceptionRecord): string | undefined =>
  uri === "" ? undefined : route === undefined ? ServerSpan.unmatched : uri

/** The record of an exception, with what its line in `exceptions.log` has. */
export const ofException = (record: ExceptionRecord): LogRecord => ({
  at: Date.parse(record.timestamp),
  level: "Error",
  body: record.message,
  traceId: record.trace_id,
  spanId: record.span_id,
  attributes: {
    ...exceptionAttributes(record),
    "http.request.method": record.method || undefined,
    "http.route": record.route,
    "url.path": pathOf(record),
    "request.id": record.id || undefined,
    "user.id": record.account
  }
})
