// The tracer and the logger of a program that has a collector. Loaded only then.
import { Effect, Layer, Logger } from "effect"
import * as RecordLine from "../../../src/errors/internal/RecordLine.ts"
import { Sources } from "../../../src/errors/Sources.ts"
import * as ExportedLog from "../../../src/observability/internal/export/ExportedLog.ts"
import * as OtlpLogs from "../../../src/observability/internal/export/OtlpLogs.ts"
import * as OtlpTraces from "../../../src/observability/internal/export/OtlpTraces.ts"
import type { TelemetryConfig } from "../../../src/observability/internal/TelemetryConfig.ts"
import * as Tracing from "../../../src/observability/internal/Tracing.ts"
import * as FileSources from "../../errors/FileSources.ts"
import { layerSilent, LogSink } from "./ExportedExceptions.ts"
import * as OtlpBatches from "./OtlpBatches.ts"
import * as OtlpClient from "./OtlpClient.ts"
import * as OtlpTracer from "./OtlpTracer.ts"
import * as ThreadTransport from "./ThreadTransport.ts"

const make = (settings: TelemetryConfig, collector: NonNullable<TelemetryConfig["collector"]>) =>
  Effect.gen(function* () {
    const { delay, sampler } = settings
    const post = yield* OtlpClient.make(collector)
    const resource = {
      service: collector.service,
      attributes: { ...OtlpClient.resource, "process.pid": process.pid, ...collector.attributes }
    }

    const sources = yield* Effect.provide(Sources, FileSources.layer)
    const { make: makeRecord } = RecordLine.maker(sources)
    const recordOf: OtlpTraces.RecordOf = (throwable, at) => makeRecord(throwable, {}, at)
    const traces = Effect.gen(function* () {
      const push = yield* OtlpBatches.make<OtlpTraces.SpanRecord>({
        name: "spans",
        signal: "traces",
        delay,
        send: (spans) => post("traces", OtlpTraces.encode(spans, resource, recordOf))
      })
      return Layer.setTracer(OtlpTracer.make(sampler, push))
    })

    const logs = Effect.gen(function* () {
      const push = yield* OtlpBatches.make<OtlpLogs.LogRecord>({
        name: "log records",
        signal: "logs",
        delay,
        send: (records) => post("logs", OtlpLogs.encode(records, resource))
      })
      const logger = Logger.make<unknown, void>((entry) => push(ExportedLog.ofEntry(entry, sources.locate)))
      return Layer.merge(Logger.add(logger), Layer.succeed(LogSink, { push }))
    })

    // A tracer of the program's own is used as it is.
    const collects = settings.traces && !(yield* Tracing.isOn)
    return Layer.merge(collects ? yield* traces : Layer.empty, settings.logs ? yield* logs : layerSilent)
  })

/** Sends to this collector. */
export const layer = (
  settings: TelemetryConfig,
  collector: NonNullable<TelemetryConfig["collector"]>
): Layer.Layer<LogSink> => Layer.unwrapScoped(make(settings, collector)).pipe(Layer.provide(ThreadTransport.layer))
