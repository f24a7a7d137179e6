// A strict reader of an OTLP/HTTP metrics request in JSON, from the protocol's description and nothing of ours.
import { fail, list, object, text } from "../../support/StrictJson.ts"

export interface Metric {
  readonly kind: "sum" | "gauge" | "histogram"
  readonly description: string
  readonly unit: string | undefined
  readonly points: ReadonlyMap<string, Point>
}

export interface Point {
  readonly start: bigint | undefined
  readonly time: bigint
  readonly value?: number
  readonly count?: number
  readonly sum?: number | undefined
  readonly bucketCounts?: ReadonlyArray<number>
  readonly explicitBounds?: ReadonlyArray<number>
}

export interface Request {
  readonly service: string
  readonly resource: Readonly<Record<string, string>>
  readonly scope: string
  readonly scopeVersion: string | undefined
  readonly metrics: ReadonlyMap<string, Metric>
}

const int64 = (value: unknown): bigint =>
  typeof value === "string" && /^\d+$/.test(value) ? BigInt(value) : fail("not a 64-bit text", value)

const double = (value: unknown): number => {
  if (typeof value === "number") return value
  if (value === "NaN") return Number.NaN
  return value === "Infinity" ? Infinity : value === "-Infinity" ? -Infinity : fail("not a double", value)
}

const attributes = (value: unknown): string => {
  const pairs = list(value).map((item) => {
    const { key, value } = object(item, "key", "value")
    return [text(key), text(object(value, "stringValue").stringValue)] as const
  })
  if (new Set(pairs.map(([key]) => key)).size !== pairs.length) fail("an attribute stands twice", value)
  return JSON.stringify([...pairs].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const cumulative = (value: unknown): void => {
  if (value !== 2) fail("temporality is the number 2", value)
}

const number = (item: unknown, kind: "sum" | "gauge"): readonly [string, Point] => {
  const started = kind === "sum" ? ["startTimeUnixNano"] : []
  const point = object(item, "attributes", "timeUnixNano", "asDouble", ...started)
  const start = kind === "sum" ? int64(point.startTimeUnixNano) : undefined
  return [attributes(point.attributes), { start, time: int64(point.timeUnixNano), value: double(point.asDouble) }]
}

const spread = (item: unknown): readonly [string, Point] => {
  const point = object(
    item,
    "attributes",
    "startTimeUnixNano",
    "timeUnixNano",
    "count",
    "sum?",
    "bucketCounts",
    "explicitBounds"
  )
  const bucketCounts = list(point.bucketCounts).map((count) => Number(int64(count)))
  const explicitBounds = list(point.explicitBounds).map((bound) =>
    typeof bound === "number" ? bound : fail("bound", bound)
  )
  const count = Number(int64(point.count))
  if (bucketCounts.length !== explicitBounds.length + 1) fail("one more count than bounds", item)
  if (bucketCounts.reduce((sum, next) => sum + next, 0) !== count) fail("the buckets do not hold the count", item)
  explicitBounds.forEach(
    (bound, index) => index > 0 && bound <= (explicitBounds[index - 1] ?? 0) && fail("bounds", item)
  )
  const sum = point.sum === undefined ? undefined : double(point.sum)
  const start = int64(point.startTimeUnixNano)
  return [
    attributes(point.attributes),
    { start, time: int64(point.timeUnixNano), count, sum, bucketCounts, explicitBounds }
  ]
}

const metric = (item: unknown): readonly [string, Metric] => {
  const { description, gauge, histogram, name, sum, ...rest } = object(
    item,
    "name",
    "description",
    "unit?",
    "sum?",
    "gauge?",
    "histogram?"
  )
  // UCUM: at most 63 visible ASCII characters.
  const unit = rest.unit === undefined ? undefined : text(rest.unit)
  if (unit !== undefined && !/^[\x21-\x7e]{1,63}$/.test(unit)) fail("not a unit", item)
  if ([sum, gauge, histogram].filter((data) => data !== undefined).length !== 1) fail("exactly one kind of data", item)
  const points = (all: ReadonlyArray<readonly [string, Point]>) => {
    const map = new Map(all)
    if (map.size !== all.length) fail("a series stands twice", item)
    for (const { start, time } of map.values())
      if (start !== undefined && start > time) fail("ends before it began", item)
    return map
  }
  if (sum !== undefined) {
    const { aggregationTemporality, dataPoints, isMonotonic } = object(
      sum,
      "aggregationTemporality",
      "isMonotonic",
      "dataPoints"
    )
    cumulative(aggregationTemporality)
    if (isMonotonic !== true) fail("a counter is monotonic", item)
    const all = points(list(dataPoints).map((point) => number(point, "sum")))
    return [text(name), { kind: "sum", description: text(description), unit, points: all }]
  }
  if (gauge !== undefined) {
    const all = points(list(object(gauge, "dataPoints").dataPoints).map((point) => number(point, "gauge")))
    return [text(name), { kind: "gauge", description: text(description), unit, points: all }]
  }
  const { aggregationTemporality, dataPoints } = object(histogram, "aggregationTemporality", "dataPoints")
  cumulative(aggregationTemporality)
  return [
    text(name),
    { kind: "histogram", description: text(description), unit, points: points(list(dataPoints).map(spread)) }
  ]
}

export const parse = (body: string): Request => {
  const [resourceMetrics, ...others] = list(object(JSON.parse(body), "resourceMetrics").resourceMetrics)
  if (others.length > 0) fail("one resource", others)
  const { resource, scopeMetrics } = object(resourceMetrics, "resource", "scopeMetrics")
  const about: Record<string, string> = Object.fromEntries(
    JSON.parse(attributes(object(resource, "attributes").attributes))
  )
  const service = about["service.name"] ?? fail("the service has a name", resource)
  const [only, ...more] = list(scopeMetrics)
  if (more.length > 0) fail("one scope", more)
  const { metrics, scope } = object(only, "scope", "metrics")
  const { name, version } = object(scope, "name", "version?")
  const all = list(metrics).map(metric)
  if (new Set(all.map(([name]) => name)).size !== all.length) fail("a metric stands twice", body)
  return {
    service,
    resource: about,
    scope: text(name),
    scopeVersion: version === undefined ? undefined : text(version),
    metrics: new Map(all)
  }
}
