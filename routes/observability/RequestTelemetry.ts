// Counts requests from the events of the server.
import { Context, Effect, Layer, Scope } from "effect"
import * as Counter from "../../src/observability/Counter.ts"
import * as Gauge from "../../src/observability/Gauge.ts"
import * as Histogram from "../../src/observability/Histogram.ts"
import type { InvalidInstrument } from "../../src/observability/Instrument.ts"
import { Observability } from "../../src/observability/Observability.ts"
import type { Listener } from "../../src/observability/RequestEvent.ts"
import { RequestEvents } from "../../src/observability/RequestEvents.ts"

/** Counts requests once it is booted. */
export class Telemetry extends Context.Tag("effect-framework/observability/Telemetry")<
  Telemetry,
  {
    /** Starts counting. Nothing is recorded before, and a second call has no effect. */
    readonly boot: Effect.Effect<void, InvalidInstrument>
  }
>() {}

const make = Effect.gen(function* () {
  const observability = yield* Observability
  const events = yield* RequestEvents
  const scope = yield* Effect.scope
  const start = Effect.gen(function* () {
    const instruments = yield* create
    for (const instrument of Object.values(instruments)) yield* observability.metrics.push(instrument)
    yield* Scope.extend(events.listen(listener(instruments)), scope)
  })
  return Telemetry.of({ boot: yield* Effect.cached(start) })
})

const create = Effect.gen(function* () {
  return {
    requests: yield* Counter.make("http_requests_total", { help: "Requests received" }),
    responses: yield* Counter.family("http_responses_total", { help: "Responses by status class", labels: ["class"] }),
    duration: yield* Histogram.make("http_request_duration_seconds", { help: "Duration of requests in seconds" }),
    inFlight: yield* Gauge.make("http_requests_in_flight", { help: "Requests in progress" })
  }
})

type Instruments = Effect.Effect.Success<typeof create>

const listener = ({ duration, inFlight, requests, responses }: Instruments): Listener => {
  const classes = ["2xx", "3xx", "4xx", "5xx"].map((name) => responses.with({ class: name }))
  // When the first counted request was received. Requests received before are not counted when they end.
  let first = Number.POSITIVE_INFINITY
  return {
    received: ({ at }) => {
      if (at < first) first = at
      requests.increment()
      inFlight.increment()
    },
    handled: ({ aborted, at, duration: seconds, failed = false, status }) => {
      if (at < first) return
      inFlight.decrement()
      duration.observe(seconds)
      // A partial response is a failure, whatever its status says.
      if (failed) classes[3]?.increment()
      else if (status !== undefined && !aborted) classes[Math.floor(status / 100) - 2]?.increment()
    }
  }
}

/** The service, not yet counting. */
export const layer: Layer.Layer<Telemetry, never, Observability | RequestEvents> = Layer.scoped(Telemetry, make)
