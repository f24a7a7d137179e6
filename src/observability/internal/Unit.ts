// The unit of a metric in UCUM notation, as OpenTelemetry requires it, derived from its Prometheus name.
import type { Type } from "./snapshot/Series.ts"

/** Units of names that do not end in one; braces name the counted thing. */
const unitsByName: ReadonlyMap<string, string> = new Map([
  ["effect_fiber_active", "{fiber}"],
  ["effect_fiber_failures_total", "{fiber}"],
  ["effect_fiber_lifetimes", "ms"],
  ["effect_fiber_started_total", "{fiber}"],
  ["effect_fiber_successes_total", "{fiber}"],
  ["exceptions_total", "{exception}"],
  ["http_bytes_read_total", "By"],
  ["http_bytes_written_total", "By"],
  ["http_requests_in_flight", "{request}"],
  ["http_requests_total", "{request}"],
  ["http_responses_total", "{response}"],
  ["metrics_merge_conflicts_total", "{conflict}"],
  ["process_open_fds", "{file}"],
  ["runtime_gc_collected_total", "By"],
  ["runtime_gc_runs_total", "{run}"],
  ["runtime_included_files", "{file}"]
])

/** Units by the last word of a name, without `_total`. */
const unitsBySuffix: ReadonlyMap<string, string> = new Map([
  ["seconds", "s"],
  ["milliseconds", "ms"],
  ["microseconds", "us"],
  ["nanoseconds", "ns"],
  ["minutes", "min"],
  ["hours", "h"],
  ["days", "d"],
  ["bytes", "By"],
  ["bits", "bit"],
  ["ratio", "1"],
  ["percent", "%"],
  ["celsius", "Cel"],
  ["meters", "m"],
  ["grams", "g"],
  ["joules", "J"],
  ["watts", "W"],
  ["volts", "V"],
  ["amperes", "A"],
  ["hertz", "Hz"]
])

/** The unit of a metric; `1` for a counter without one, `undefined` when it is unknown. */
export const of = (name: string, type: Type): string | undefined => {
  const own = unitsByName.get(name)
  if (own !== undefined) return own
  const word = /([a-z]+)(?:_total)?$/.exec(name)?.[1] ?? ""
  // A gauge with the unit `1` would be read as a ratio.
  return unitsBySuffix.get(word) ?? (type === "counter" && name.endsWith("_total") ? "1" : undefined)
}
