// Log entries and exceptions as log records for a collector.
import type { Logger } from "effect"
import type * as LogLine from "../../../errors/internal/LogLine.ts"
import * as Correlation from "../Correlation.ts"
import * as LogFormat from "../LogFormat.ts"
import type { LogRecord } from "./OtlpLogs.ts"

/** The record of a log entry, with what its line on standard error has. */
export const ofEntry = (entry: Logger.Logger.Options<unknown>, locate: LogFormat.Locate): LogRecord => {
  const { errors = [], facts, message } = LogFormat.details(entry, locate)
  const { account, id, span_id, trace_id } = Correlation.of(entry.context)
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

/** The record of an exception, with what its line in `exceptions.log` has. */
export const ofException = (line: LogLine.Line): LogRecord => ({
  at: Date.parse(line.timestamp),
  level: "Error",
  body: line.message,
  traceId: line.trace_id,
  spanId: undefined,
  attributes: {
    "exception.type": line.class,
    "exception.message": line.message,
    "code.file.path": line.file || undefined,
    "code.line.number": line.file === "" ? undefined : line.line,
    "http.request.method": line.method || undefined,
    "url.path": line.uri || undefined,
    "request.id": line.id || undefined,
    "user.id": line.account,
    "db.query.text": line.statement
  }
})
