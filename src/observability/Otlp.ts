// A snapshot as an OTLP/HTTP metrics request in JSON.
import type { Labels } from "./Labels.ts"
import type { Exporter } from "./Observability.ts"
import type { Distribution, Metric, Sample } from "./internal/snapshot/Series.ts"
import type { Snapshot } from "./Snapshot.ts"
import { VERSION } from "../config/internal/Version.ts"
import { defaultScope, defaultService } from "./internal/export/OtlpResource.ts"
import { double } from "./internal/export/OtlpValue.ts"
import * as Unit from "./internal/Unit.ts"

/** The resource and scope of the metrics, and when their sums started. */
export interface Options {
  /** Takes precedence over `service.name` in the attributes. */
  readonly service?: string
  /** Attributes of the resource, such as `service.version`. */
  readonly attributes?: Readonly<Record<string, string>>
  readonly scope?: string
  /** The version of the scope; by default the version of this package, and none for another scope. */
  readonly scopeVersion?: string
  /** Units by metric name, for names that do not end in one. */
  readonly units?: Readonly<Record<string, string>>
  /** Epoch seconds at which the sums started. Must not change between requests, or a collector assumes a restart. */
  readonly start: number
}

/** AGGREGATION_TEMPORALITY_CUMULATIVE; enums are numbers in this encoding. */
const cumulative = 2

/** The body of one export request. */
const encode = (snapshot: Snapshot, options: Options): string => {
  const metrics: Array<unknown> = []
  const interval = intervalOf(snapshot, options)
  for (const [name, metric] of snapshot.metrics) {
    if (metric.series.length === 0) continue
    const unit = unitOf(name, metric, options)
    metrics.push({ name, description: metric.help, ...(unit === undefined ? {} : { unit }), ...data(metric, interval) })
  }
  const resource = { attributes: resourceAttributes(options) }
  const scope = scopeOf(options)
  return JSON.stringify({ resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] })
}

/**
 * OTLP for `Observability.export` and `dump`.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Fleet, Otlp } from "effect-framework/observability"
 *
 * // The body of a request to `/v1/metrics` of a collector, for a transport of your own.
 * export const body = Effect.gen(function* () {
 *   const fleet = yield* Fleet.Fleet
 *   const { snapshot, started } = yield* fleet.gather
 *   return Otlp.exporter({ service: "teapots", start: started, units: { tea_stock: "g" } }).export(snapshot)
 * })
 * ```
 */
export const exporter = (options: Options): Exporter => ({
  contentType: "application/json",
  export: (snapshot) => encode(snapshot, options)
})

const unitOf = (name: string, { type }: Metric, { units = {} }: Options): string | undefined =>
  (Object.hasOwn(units, name) ? units[name] : undefined) ?? Unit.of(name, type)

const resourceAttributes = ({ attributes = {}, service }: Options): ReadonlyArray<unknown> => {
  const { "service.name": name, ...others } = attributes
  return [
    attribute("service.name", service || name || defaultService),
    ...Object.entries(others).map(([key, value]) => attribute(key, value))
  ]
}

const scopeOf = ({ scope = defaultScope, scopeVersion = scope === defaultScope ? VERSION : undefined }: Options) =>
  scopeVersion === undefined ? { name: scope } : { name: scope, version: scopeVersion }

interface Interval {
  readonly startTimeUnixNano: string
  readonly timeUnixNano: string
}

// After a clock change the interval must not end before it starts.
const intervalOf = ({ timestamp }: Snapshot, { start }: Options): Interval => ({
  startTimeUnixNano: nanoseconds(Math.min(start, timestamp)),
  timeUnixNano: nanoseconds(timestamp)
})

// Today's time in nanoseconds exceeds the precision of a number: it is rounded to microseconds.
const nanoseconds = (seconds: number): string =>
  Number.isFinite(seconds) && seconds > 0 ? String(BigInt(Math.round(seconds * 1e6)) * 1000n) : "0"

const data = (metric: Metric, interval: Interval): object => {
  switch (metric.type) {
    case "counter":
      return {
        sum: { aggregationTemporality: cumulative, isMonotonic: true, dataPoints: metric.series.map(point(interval)) }
      }
    case "gauge":
      return { gauge: { dataPoints: metric.series.map(point({ timeUnixNano: interval.timeUnixNano })) } }
    case "histogram":
      return {
        histogram: { aggregationTemporality: cumulative, dataPoints: metric.series.map(distribution(interval)) }
      }
  }
}

const point =
  (interval: Partial<Interval>) =>
  ({ labels, value }: Sample): unknown => ({ attributes: attributes(labels), ...interval, asDouble: double(value) })

const distribution =
  (interval: Interval) =>
  ({ bounds, count, counts, labels, sum }: Distribution): unknown => ({
    attributes: attributes(labels),
    ...interval,
    count: integer(count),
    // With negative observations the sum can decrease, so it is left out.
    ...((bounds[0] ?? 0) >= 0 && !(sum < 0) ? { sum: double(sum) } : {}),
    bucketCounts: [...counts, count].map((total, index) => integer(total - (counts[index - 1] ?? 0))),
    explicitBounds: bounds
  })

// OTLP/JSON encodes 64-bit integers as strings.
const integer = (value: number): string => String(BigInt(value))

const attribute = (key: string, stringValue: string): unknown => ({ key, value: { stringValue } })

const attributes = (labels: Labels): ReadonlyArray<unknown> =>
  Object.entries(labels.record).map(([key, value]) => attribute(key, value))
