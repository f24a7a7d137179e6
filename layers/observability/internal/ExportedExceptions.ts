// Sends the records of exceptions to the collector, as log records of their traces.
import { Context, Effect, Layer } from "effect"
import { ExceptionRecords } from "../../../src/errors/ExceptionRecords.ts"
import * as ExportedLog from "../../../src/observability/internal/export/ExportedLog.ts"
import type { LogRecord } from "../../../src/observability/internal/export/OtlpLogs.ts"

/** Where log records go; `undefined` when they are not exported. */
export class LogSink extends Context.Tag("effect-framework/observability/LogSink")<
  LogSink,
  { readonly push: ((record: LogRecord) => void) | undefined }
>() {}

/** Log records go nowhere. */
export const layerSilent: Layer.Layer<LogSink> = Layer.succeed(LogSink, { push: undefined })

/** Exports them, where log records are exported. */
export const layer: Layer.Layer<never, never, LogSink | ExceptionRecords> = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { push } = yield* LogSink
    const { add } = yield* ExceptionRecords
    if (push !== undefined) yield* add((records) => records.forEach((record) => push(ExportedLog.ofException(record))))
  })
)
