// Sends reported exceptions to the collector, as log records of their traces.
import { Context, Effect, Layer } from "effect"
import * as LogLine from "../../../src/errors/internal/LogLine.ts"
import { Reporters } from "../../../src/errors/Reporters.ts"
import { Sources } from "../../../src/errors/Sources.ts"
import * as ExportedLog from "../../../src/observability/internal/export/ExportedLog.ts"
import type { LogRecord } from "../../../src/observability/internal/export/OtlpLogs.ts"

/** Where log records go; `undefined` when they are not exported. */
export class LogSink extends Context.Tag("effect-framework/observability/LogSink")<
  LogSink,
  { readonly push: ((record: LogRecord) => void) | undefined }
>() {}

/** Log records go nowhere. */
export const layerSilent: Layer.Layer<LogSink> = Layer.succeed(LogSink, { push: undefined })

/** A reporter that exports, where log records are exported. */
export const layer: Layer.Layer<never, never, LogSink | Reporters | Sources> = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { push } = yield* LogSink
    if (push === undefined) return
    const sources = yield* Sources
    const clock = yield* Effect.clock
    const reporters = yield* Reporters
    yield* reporters.add((throwable, context, secrets) => {
      const line = LogLine.of(throwable, context, clock.unsafeCurrentTimeMillis(), sources, secrets())
      push(ExportedLog.ofException(line))
    })
  })
)
