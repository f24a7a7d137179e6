// Request telemetry that counts from the start.
import { Context, Effect, Layer, Scope } from "effect"
import type { InvalidInstrument } from "../../src/observability/Instrument.ts"
import { Observability } from "../../src/observability/Observability.ts"
import { type Handled, type Listener, RequestEvents } from "../../src/observability/RequestEvents.ts"
import * as Counter from "../../src/observability/Counter.ts"
import * as Gauge from "../../src/observability/Gauge.ts"
import * as Histogram from "../../src/observability/Histogram.ts"
import * as RouteDurations from "./internal/RouteDurations.ts"

/**
 * Counts requests once it is booted.
 *
 * @example
 * ```ts
 * import { FetchHttpClient, HttpClient } from "@effect/platform"
 * import { Effect, Layer } from "effect"
 * import { Telemetry } from "effect-framework/routes/observability"
 * import { ServerAddress } from "effect-framework/server"
 *
 * // The slow first request, which fills the caches, is the program's own, and is not counted.
 * const warmUp = Effect.gen(function* () {
 *   const { url } = yield* ServerAddress.ServerAddress
 *   const { boot } = yield* Telemetry.Telemetry
 *   yield* Effect.ignore(Effect.flatMap(HttpClient.get(`${url}/tea`), ({ text }) => text))
 *   yield* boot
 * })
 *
 * export const counted = Layer.effectDiscard(warmUp).pipe(
 *   Layer.provide(Layer.merge(Telemetry.layerManual, FetchHttpClient.layer))
 * )
 * ```
 */
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
    const routes = yield* RouteDurations.make()
    for (const instrument of [...Object.values(instruments), routes.instrument]) {
      yield* observability.metrics.push(instrument)
    }
    yield* Scope.extend(events.listen(listener(instruments, routes.observe)), scope)
  })
  return Telemetry.of({ boot: yield* Effect.cached(start) })
})

const create = Effect.gen(function* () {
  return {
    requests: yield* Counter.make("http_requests_total", { help: "Requests received" }),
    responses: yield* Counter.family("http_responses_total", { help: "Responses by status class", labels: ["class"] }),
    duration: yield* Histogram.make("http_request_duration_seconds", { help: "Duration of requests in seconds" }),
    inFlight: yield* Gauge.make("http_requests_in_flight", { help: "Requests in progress" }),
    streams: yield* RouteDurations.streams()
  }
})

type Instruments = Effect.Effect.Success<typeof create>

const listener = (
  { duration, inFlight, requests, responses, streams }: Instruments,
  observeRoute: RouteDurations.Observe
): Listener => {
  // Without a class there is no counter.
  const classes = RouteDurations.classes.slice(0, -1).map((name) => responses.with({ class: name }))
  const observeEnd = ({ lasted, route }: Handled, index: number) => {
    if (lasted !== undefined) streams.with({ route, class: RouteDurations.classes[index] ?? "" }).observe(lasted)
  }
  // When the first counted request was received. Requests received before are not counted when they end.
  let first = Number.POSITIVE_INFINITY
  return {
    received: ({ at }) => {
      if (at < first) first = at
      requests.increment()
      inFlight.increment()
    },
    handled: (event) => {
      if (event.at < first) return
      const index = RouteDurations.classOf(event)
      inFlight.decrement()
      duration.observe(event.duration)
      classes[index]?.increment()
      observeRoute(event, index)
      observeEnd(event, index)
    },
    // Its handshake is counted. A handler that fails later is an error of the server all the same.
    closed: (event) => {
      if (event.at < first) return
      const index = RouteDurations.classOf(event)
      if (event.failed === true) classes[index]?.increment()
      observeEnd(event, index)
    }
  }
}

/** Telemetry that counts nothing before its `boot`; `layer` counts from the start. */
export const layerManual: Layer.Layer<Telemetry, never, Observability | RequestEvents> = Layer.scoped(Telemetry, make)

/** Counts the requests of the server: total, in progress, duration in all and by route, and responses by status class. */
export const layer: Layer.Layer<never, InvalidInstrument, Observability | RequestEvents> = Layer.effectDiscard(
  Effect.flatMap(Telemetry, ({ boot }) => boot)
).pipe(Layer.provide(layerManual))
