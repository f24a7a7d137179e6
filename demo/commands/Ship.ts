// The `ship` command: sends what all workers have measured to an OpenTelemetry collector.
import { type ConfigError, Console, Duration, Effect, Schedule } from "effect"
import { join } from "node:path"
import * as FileFleet from "../../layers/observability/FileFleet.ts"
import * as OtlpShipper from "../../layers/observability/OtlpShipper.ts"
import { text } from "../../src/http/Status.ts"
import { Fleet } from "../../src/observability/Fleet.ts"
import { Shipper } from "../../src/observability/Shipper.ts"

export const usage = `Usage: ship [--every DURATION]

  (nothing)       ship once; ends with 0 when all was taken, 3 when some of it was rejected, 1 when none was taken
  --every 15s     keep shipping; ms, s, m or h (stop with Ctrl-C or SIGTERM)
  --help          print this

The collector is at OTEL_EXPORTER_OTLP_ENDPOINT, the service is called OTEL_SERVICE_NAME; see docs/observability.md.`

/** The command for these words; its exit status. */
export const ship = (argv: ReadonlyArray<string>, storage: string): Effect.Effect<number, ConfigError.ConfigError> =>
  command(argv).pipe(
    Effect.provide(FileFleet.layerObserver({ directory: join(storage, "metrics") })),
    Effect.provide(OtlpShipper.layerConfig)
  )

/** The same with a fleet and a shipper of one's own. */
export const command = (argv: ReadonlyArray<string>): Effect.Effect<number, never, Fleet | Shipper> => {
  const [option, value, ...rest] = argv
  if (option === undefined) return once
  if (option === "--help" || option === "help") return Effect.as(Console.log(usage), 0)
  const every = option === "--every" && rest.length === 0 ? duration(value ?? "") : undefined
  if (every === undefined) return Effect.as(Console.error(usage), 2)
  return Effect.as(Effect.repeat(once, Schedule.fixed(every)), 0)
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
}).pipe(Effect.catchTag("Undelivered", (failure) => Effect.as(Console.error(`not shipped: ${failure.message}`), 1)))

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
