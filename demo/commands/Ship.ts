// The `ship` command: sends the metrics of all workers to an OpenTelemetry collector.
import { Console, Duration, Effect, Layer, Schedule } from "effect"
import * as FileFleet from "../../layers/observability/FileFleet.ts"
import * as OtlpMetricsExporter from "../../layers/observability/OtlpMetricsExporter.ts"
import * as Storage from "../../layers/server/Storage.ts"
import { text } from "../../src/http/Status.ts"
import { Fleet } from "../../src/observability/Fleet.ts"
import { MetricsExporter } from "../../src/observability/MetricsExporter.ts"
import type { Work, Args } from "./Command.ts"

export const usage = `Usage: ship [--every DURATION]

  (no option)     send once; exits with 0 when all was accepted, 3 when some data was rejected, 1 when none was accepted
  --every 15s     keep sending; ms, s, m or h (stop with Ctrl-C or SIGTERM)
  --help          print this

The collector is at OTEL_EXPORTER_OTLP_ENDPOINT, the service name is OTEL_SERVICE_NAME; see docs/observability.md.`

/** The program of these arguments, which returns the exit status; `undefined` when they are not valid. */
export const program = (args: Args): Effect.Effect<number, never, Fleet | MetricsExporter> | undefined => {
  const [option, value, ...rest] = args
  if (option === undefined) return sendOnce
  const every = option === "--every" && rest.length === 0 ? parseDuration(value ?? "") : undefined
  return every === undefined ? undefined : Effect.as(Effect.repeat(sendOnce, Schedule.fixed(every)), 0)
}

export const parse = (args: Args): Work | undefined => {
  const send = program(args)
  if (send === undefined) return undefined
  return ({ metricsExporter, server }) =>
    Effect.provide(
      send,
      Layer.merge(
        FileFleet.layerObserver({ directory: Storage.metrics(server.storage) }),
        OtlpMetricsExporter.layer(metricsExporter)
      )
    )
}

const sendOnce = Effect.gen(function* () {
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

const units: Readonly<Record<string, (value: number) => Duration.Duration>> = {
  ms: Duration.millis,
  s: Duration.seconds,
  m: Duration.minutes,
  h: Duration.hours
}

const parseDuration = (text: string): Duration.Duration | undefined => {
  const [, value, unit] = /^(\d{1,6})(ms|s|m|h)$/.exec(text) ?? []
  const duration = units[unit ?? ""]?.(Number(value))
  return duration !== undefined && Duration.greaterThan(duration, Duration.zero) ? duration : undefined
}
