// The `ship` command: sends what all workers have measured to an OpenTelemetry collector.
import { Console, Duration, Effect, Layer, Schedule } from "effect"
import * as FileFleet from "../../layers/observability/FileFleet.ts"
import * as OtlpMetricsExporter from "../../layers/observability/OtlpMetricsExporter.ts"
import * as Storage from "../../layers/server/Storage.ts"
import { text } from "../../src/http/Status.ts"
import { Fleet } from "../../src/observability/Fleet.ts"
import { Shipper } from "../../src/observability/MetricsExporter.ts"
import type { Work, Args } from "./Command.ts"

export const usage = `Usage: ship [--every DURATION]

  (nothing)       ship once; ends with 0 when all was taken, 3 when some of it was rejected, 1 when none was taken
  --every 15s     keep shipping; ms, s, m or h (stop with Ctrl-C or SIGTERM)
  --help          print this

The collector is at OTEL_EXPORTER_OTLP_ENDPOINT, the service is called OTEL_SERVICE_NAME; see docs/observability.md.`

type Asked = Effect.Effect<number, never, Fleet | Shipper>

/** What these words ask of a fleet and a shipper; nothing when they are not known. */
export const asked = (words: Args): Asked | undefined => {
  const [option, value, ...rest] = words
  if (option === undefined) return once
  const every = option === "--every" && rest.length === 0 ? duration(value ?? "") : undefined
  return every === undefined ? undefined : Effect.as(Effect.repeat(once, Schedule.fixed(every)), 0)
}

export const parse = (words: Args): Work | undefined => {
  const work = asked(words)
  if (work === undefined) return undefined
  return ({ server, shipper }) =>
    Effect.provide(
      work,
      Layer.merge(
        FileFleet.layerObserver({ directory: Storage.metrics(server.storage) }),
        OtlpMetricsExporter.layer(shipper)
      )
    )
}

const once = Effect.gen(function* () {
  const fleet = yield* Fleet
  const shipper = yield* Shipper
  const whole = yield* fleet.gather
  const { message, rejected, status } = yield* shipper.ship(whole)
  const said = message === "" ? "" : `: ${message}`
  if (rejected > 0) {
    yield* Console.error(`${status} ${text(status)}, but ${rejected} data points were rejected${said}`)
    return 3
  }
  yield* Console.log(`${status} ${text(status)}${said}`)
  return 0
}).pipe(Effect.catchTag("ExportFailed", (failure) => Effect.as(Console.error(`not shipped: ${failure.message}`), 1)))

const units: Readonly<Record<string, (value: number) => Duration.Duration>> = {
  ms: Duration.millis,
  s: Duration.seconds,
  m: Duration.minutes,
  h: Duration.hours
}

const duration = (words: string): Duration.Duration | undefined => {
  const [, value, unit] = /^(\d{1,6})(ms|s|m|h)$/.exec(words) ?? []
  const length = units[unit ?? ""]?.(Number(value))
  return length !== undefined && Duration.greaterThan(length, Duration.zero) ? length : undefined
}
