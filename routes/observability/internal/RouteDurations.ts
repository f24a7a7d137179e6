// The duration of requests by method, route and status class: which route is slow, and which one fails. How long streams and
// WebSockets lasted is another metric: they are not slow.
import { Either } from "effect"
import type { Family } from "../../../src/observability/internal/Family.ts"
import * as Histogram from "../../../src/observability/Histogram.ts"
import type { InvalidInstrument } from "../../../src/observability/Instrument.ts"
import type { Handled } from "../../../src/observability/RequestEvents.ts"
import { maxSeries } from "../../../src/observability/internal/snapshot/SeriesLimit.ts"

const help = "Duration of requests by method, route pattern and status class, in seconds"
const labels = ["method", "route", "class"] as const
type Durations = Family<(typeof labels)[number], Histogram.Histogram>

/** Status classes; `none` for a request without a complete response. */
export const classes = ["1xx", "2xx", "3xx", "4xx", "5xx", "none"]
const none = 5

/** The place of the class of a request in the list of classes. A partial response is a failure, whatever its status says. */
export const classOf = ({ aborted, failed, status }: Pick<Handled, "aborted" | "failed" | "status">): number => {
  if (failed === true) return 4
  if (aborted || status === undefined) return none
  return status >= 100 && status < 600 ? Math.floor(status / 100) - 1 : none
}

const methods = ["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
// A client may send any method: those that no route has are one value, in the notation of OpenTelemetry.
const otherMethod = "_OTHER"
/** The route of every request that no route matched. */
const unmatched = "unmatched"

/** The series of one method and route, by class. */
type Bound = Array<Histogram.Histogram | undefined>

/** The bound series of one method, by route. */
class Routes {
  private readonly bound = new Map<string, Bound>()
  private readonly durations: Durations
  private readonly method: string

  constructor(durations: Durations, method: string) {
    this.durations = durations
    this.method = method
  }

  observe({ duration, route, sampled, trace }: Handled, index: number): void {
    const series = this.bound.get(route)?.[index] ?? this.bind(route, index)
    series.observe(duration, sampled === true ? trace : undefined)
  }

  private bind(route: string, index: number): Histogram.Histogram {
    const series = this.durations.with({
      method: this.method,
      route: route === "" ? unmatched : route,
      class: classes[index] ?? ""
    })
    const bound = this.bound.get(route)
    if (bound !== undefined) bound[index] = series
    else if (this.bound.size < maxSeries) {
      const fresh: Bound = Array.from(classes, () => undefined)
      fresh[index] = series
      this.bound.set(route, fresh)
    }
    return series
  }
}

/** Records a request under the class at this place. */
export type Observe = (event: Handled, index: number) => void

/** From a second to a day. */
const streamBuckets = [1, 10, 60, 300, 1800, 3600, 14_400, 86_400]

/** How long streams and WebSockets lasted. */
export const streams = () =>
  Histogram.family("http_stream_duration_seconds", {
    help: "How long streamed responses and WebSockets lasted, by route pattern and status class, in seconds",
    labels: ["route", "class"],
    buckets: streamBuckets
  })

interface RouteDurations {
  readonly instrument: Durations
  readonly observe: Observe
}

/** A write costs one lookup for a GET and two for another method: the series of a route are bound at its first request. */
export const make = (): Either.Either<RouteDurations, InvalidInstrument> =>
  Either.map(Histogram.family("http_route_duration_seconds", { help, labels }), (instrument) => {
    const gets = new Routes(instrument, "GET")
    const others = new Map(methods.map((method) => [method, new Routes(instrument, method)]))
    const unknown = new Routes(instrument, otherMethod)
    return {
      instrument,
      observe: (event, index) => {
        const { method } = event
        const routes = method === "GET" ? gets : (others.get(method) ?? unknown)
        routes.observe(event, index)
      }
    }
  })
