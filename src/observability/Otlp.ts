// A snapshot as an OTLP/HTTP metrics request in JSON.
import type { Labels } from "./Labels.ts"
import type { Exporter } from "./Observability.ts"
import type { Distribution, Metric, Sample } from "./Series.ts"
import type { Snapshot } from "./Snapshot.ts"
import { VERSION } from "../server/Version.ts"
import type { Attributes } from "./Resource.ts"
import * as Unit from "./Unit.ts"

/** The service name unless `OTEL_SERVICE_NAME` says another. */
export const defaultService = "framework-service"

/** The instrumentation scope unless the options say another. */
export const defaultScope = "framework.observability"

/** Under which names the snapshot is sent, and since when its sums have grown. */
export interface Options {
  /** Wins over `service.name` among the attributes. */
  readonly service?: string
  /** Attributes of the resource, such as `service.version`. */
  readonly attributes?: Attributes
  readonly scope?: string
  /** The version of the scope: that of this package, unless the scope is another. */
  readonly scopeVersion?: string
  /** Units by the names of metrics, where the name does not tell them. */
  readonly units?: Readonly<Record<string, string>>
  /** Epoch seconds since when the sums have grown: fixed, or a collector takes each request for a restart. */
  readonly start: number
}

/** AGGREGATION_TEMPORALITY_CUMULATIVE; enums are numbers in this encoding. */
const cumulative = 2

/** The body of one export request. */
export const encode = (snapshot: Snapshot, options: Options): string => {
  const metrics: Array<unknown> = []
  const interval = moments(snapshot, options)
  for (const [name, metric] of snapshot.metrics) {
    if (metric.series.length === 0) continue
    const unit = unitOf(name, metric, options)
    metrics.push({ name, description: metric.help, ...(unit === undefined ? {} : { unit }), ...data(metric, interval) })
  }
  const resource = { attributes: resourceAttributes(options) }
  const scope = scopeOf(options)
  return JSON.stringify({ resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] })
}

/** OTLP for `Observability.export` and `dump`. */
export const exporter = (options: Options): Exporter => ({
  contentType: "application/json",
  export: (snapshot) => encode(snapshot, options)
})

const unitOf = (name: string, { type }: Metric, { units = {} }: Options): string | undefined =>
  (Object.hasOwn(units, name) ? units[name] : undefined) ?? Unit.of(name, type)

const resourceAttributes = ({ attributes = {}, service }: Options): ReadonlyArray<unknown> => {
  const { "service.name": named, ...others } = attributes
  return [
    attribute("service.name", service || named || defaultService),
    ...Object.entries(others).map(([key, value]) => attribute(key, value))
  ]
}

const scopeOf = ({ scope = defaultScope, scopeVersion = scope === defaultScope ? VERSION : undefined }: Options) =>
  scopeVersion === undefined ? { name: scope } : { name: scope, version: scopeVersion }

interface Moments {
  readonly startTimeUnixNano: string
  readonly timeUnixNano: string
}

// A clock that was set back must not make an interval end before it began.
const moments = ({ timestamp }: Snapshot, { start }: Options): Moments => ({
  startTimeUnixNano: nanoseconds(Math.min(start, timestamp)),
  timeUnixNano: nanoseconds(timestamp)
})

// A nanosecond of today has more digits than a number holds: microseconds are counted, the rest is written.
const nanoseconds = (seconds: number): string =>
  Number.isFinite(seconds) && seconds > 0 ? String(BigInt(Math.round(seconds * 1e6)) * 1000n) : "0"

const data = (metric: Metric, moments: Moments): object => {
  switch (metric.type) {
    case "counter":
      return {
        sum: { aggregationTemporality: cumulative, isMonotonic: true, dataPoints: metric.series.map(point(moments)) }
      }
    case "gauge":
      return { gauge: { dataPoints: metric.series.map(point({ timeUnixNano: moments.timeUnixNano })) } }
    case "histogram":
      return { histogram: { aggregationTemporality: cumulative, dataPoints: metric.series.map(spread(moments)) } }
  }
}

const point =
  (moments: Partial<Moments>) =>
  ({ labels, value }: Sample): unknown => ({ attributes: attributes(labels), ...moments, asDouble: double(value) })

const spread =
  (moments: Moments) =>
  ({ bounds, count, counts, labels, sum }: Distribution): unknown => ({
    attributes: attributes(labels),
    ...moments,
    count: integer(count),
    // Where something below zero may have been observed the sum can fall: then it is left out.
    ...((bounds[0] ?? 0) >= 0 && !(sum < 0) ? { sum: double(sum) } : {}),
    bucketCounts: [...counts, count].map((total, index) => integer(total - (counts[index - 1] ?? 0))),
    explicitBounds: bounds
  })

// 64 bits do not fit a JSON number: they travel as texts.
const integer = (value: number): string => String(BigInt(value))

const double = (value: number): number | string => {
  if (Number.isFinite(value)) return value
  return Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity"
}

const attribute = (key: string, stringValue: string): unknown => ({ key, value: { stringValue } })

const attributes = (labels: Labels): ReadonlyArray<unknown> =>
  Object.entries(labels.record).map(([key, value]) => attribute(key, value))
