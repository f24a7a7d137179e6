// The figures of the dashboard, computed from snapshots of the fleet.
import type { Metric, Snapshot } from "../../src/observability/Snapshot.ts"

/** The fleet at one moment: the values of counters and gauges. */
export interface Point {
  readonly at: number
  readonly requests: number
  readonly responses: number
  readonly errors: number
  readonly logins: number
  readonly refusals: number
  readonly duration: Omit<Distribution, "labels">
  readonly received: number
  readonly sent: number
  readonly processor: number
  readonly memory: number
  readonly delay: number
  readonly inFlight: number
  readonly workers: number
}

type Distribution = Extract<Metric, { readonly type: "histogram" }>["series"][number]

type Labels = Readonly<Record<string, string>>

const samples = ({ metrics }: Snapshot, name: string, which: (labels: Labels) => boolean = () => true) => {
  const metric = metrics.get(name)
  if (metric === undefined || metric.type === "histogram") return []
  return metric.series.filter(({ labels }) => which(labels.record)).map(({ value }) => value)
}

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

export const point = (snapshot: Snapshot): Point => {
  const durations = snapshot.metrics.get("http_request_duration_seconds")
  const [duration] = durations?.type === "histogram" ? durations.series : []
  const logins = (outcome: string) => sum(samples(snapshot, "logins_total", (labels) => labels["outcome"] === outcome))
  return {
    at: snapshot.timestamp,
    requests: sum(samples(snapshot, "http_requests_total")),
    responses: sum(samples(snapshot, "http_responses_total")),
    errors: sum(samples(snapshot, "http_responses_total", (labels) => labels["class"] === "5xx")),
    logins: logins("success"),
    refusals: logins("failure") + logins("limited"),
    duration: duration ?? { bounds: [], counts: [], sum: 0, count: 0 },
    received: sum(samples(snapshot, "http_bytes_read_total")),
    sent: sum(samples(snapshot, "http_bytes_written_total")),
    processor: sum(samples(snapshot, "process_cpu_seconds_total")),
    memory: sum(samples(snapshot, "process_memory_bytes")),
    delay: Math.max(0, ...samples(snapshot, "runtime_event_loop_delay_seconds")),
    inFlight: sum(samples(snapshot, "http_requests_in_flight")),
    workers: samples(snapshot, "process_uptime_seconds").length
  }
}

/** Seconds that a chart covers: the shortest range with all points, so that the charts of a new fleet are filled too. */
export const width = (points: ReadonlyArray<Point>): number => {
  const age = (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0)
  return widths.find((width) => width >= age) ?? 600
}

const widths = [60, 120, 300]

/** Seconds between compared points. A worker reports every ten seconds, so a shorter interval gives wrong rates. */
export const span = 10

/** Each point with the one it is compared to: the latest that is at least a span older, or else the first. */
const pairs = (points: ReadonlyArray<Point>): ReadonlyArray<readonly [Point, Point | undefined]> =>
  points.map((now, index) => {
    const before = points.slice(0, index)
    return [now, before.findLast(({ at }) => now.at - at >= span) ?? before[0]]
  })

export type Line = ReadonlyArray<number | undefined>

/** The growth of a counter per second. */
export const rate = (points: ReadonlyArray<Point>, of: (point: Point) => number): Line =>
  pairs(points).map(([now, before]) => {
    if (before === undefined || now.at <= before.at) return undefined
    return Math.max(0, of(now) - of(before)) / (now.at - before.at)
  })

/** The growth of one counter as a share of the growth of another. */
export const share = (
  points: ReadonlyArray<Point>,
  of: (point: Point) => number,
  all: (point: Point) => number
): Line =>
  pairs(points).map(([now, before]) => {
    if (before === undefined) return undefined
    const grown = all(now) - all(before)
    return grown > 0 ? Math.max(0, of(now) - of(before)) / grown : 0
  })

/** The duration in seconds of this quantile of the requests; `undefined` while there were none. */
export const percentile = (points: ReadonlyArray<Point>, part: number): Line =>
  pairs(points).map(([now, before]) =>
    before === undefined ? undefined : quantile(part, now.duration, before.duration)
  )

// As in Prometheus: linear interpolation within the bucket.
const quantile = (part: number, now: Point["duration"], before: Point["duration"]): number | undefined => {
  const total = now.count - before.count
  if (total <= 0) return undefined
  const rank = part * total
  const grown = now.counts.map((count, index) => count - (before.counts[index] ?? 0))
  const at = grown.findIndex((count) => count >= rank)
  if (at === -1) return now.bounds.at(-1)
  const low = at === 0 ? 0 : (now.bounds[at - 1] ?? 0)
  const high = now.bounds[at] ?? low
  const below = at === 0 ? 0 : (grown[at - 1] ?? 0)
  const inside = (grown[at] ?? 0) - below
  return inside === 0 ? high : low + ((high - low) * (rank - below)) / inside
}
