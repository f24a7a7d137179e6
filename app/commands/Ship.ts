// The `ship` command: sends the metrics of all workers to an OpenTelemetry collector.
import { Command, HelpDoc, Options, ValidationError } from "@effect/cli"
import { Console, Duration, Effect, Layer, Option, Schedule } from "effect"
import * as FileFleet from "../../layers/observability/FileFleet.ts"
import * as OtlpMetricsExporter from "../../layers/observability/OtlpMetricsExporter.ts"
import * as Storage from "../../layers/server/internal/Storage.ts"
import { text } from "../../src/http/internal/text/Status.ts"
import { Fleet } from "../../src/observability/Fleet.ts"
import { MetricsExporter } from "../../src/observability/MetricsExporter.ts"
import type { RunWork } from "./Work.ts"

/** Sends once; the exit status. */
export const sendOnce = Effect.gen(function* () {
  const fleet = yield* Fleet
  const exporter = yield* MetricsExporter
  const { message, rejected, status } = yield* exporter.send(yield* fleet.gather)
  const detail = message === "" ? "" : `: ${message}`
  if (rejected > 0) {
    yield* Console.error(`${status} ${text(status)}, but ${rejected} data points were rejected${detail}`)
    return 3
  }
  yield* Console.log(`${status} ${text(status)}${detail}`)
  return 0
}).pipe(Effect.catchTag("ExportFailed", (failure) => Effect.as(Console.error(`not sent: ${failure.message}`), 1)))

/** Keeps sending, also after failures. */
export const sendEvery = (interval: Duration.Duration) =>
  Effect.as(Effect.repeat(sendOnce, Schedule.fixed(interval)), 0)

const units: Readonly<Record<string, (value: number) => Duration.Duration>> = {
  ms: Duration.millis,
  s: Duration.seconds,
  m: Duration.minutes,
  h: Duration.hours
}

/** `15s` and the like; `undefined` for other texts and for zero. */
export const parseInterval = (text: string): Duration.Duration | undefined => {
  const [, value, unit] = /^(\d{1,6})(ms|s|m|h)$/.exec(text) ?? []
  const duration = units[unit ?? ""]?.(Number(value))
  return duration !== undefined && Duration.greaterThan(duration, Duration.zero) ? duration : undefined
}

const every = Options.text("every").pipe(
  Options.withPseudoName("15s"),
  Options.withDescription("keep sending at this interval; ms, s, m or h (stop with Ctrl-C or SIGTERM)"),
  Options.mapEffect((text) => {
    const interval = parseInterval(text)
    return interval === undefined
      ? Effect.fail(ValidationError.invalidValue(HelpDoc.p(`--every is ${text}, expected an interval such as 15s`)))
      : Effect.succeed(interval)
  }),
  Options.optional
)

/** `ship [--every 15s]`. */
export const command = (run: RunWork) =>
  Command.make("ship", { every }, ({ every }) =>
    run(({ metricsExporter, server }) =>
      Effect.provide(
        Option.match(every, { onNone: () => sendOnce, onSome: sendEvery }),
        Layer.merge(
          FileFleet.layerObserver({ directory: Storage.metrics(server.storage) }),
          OtlpMetricsExporter.layer(metricsExporter)
        )
      )
    )
  ).pipe(
    Command.withDescription(
      "send the metrics to the collector at OTEL_EXPORTER_OTLP_ENDPOINT; status 3 when it rejected some, 1 when all"
    )
  )
