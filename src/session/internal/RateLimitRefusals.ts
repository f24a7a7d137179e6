// Requests that a rate limit refused, counted by the name of the limit.
import { type Effect, Metric } from "effect"

// An Effect `Metric`, so that it works without our observability.
const total = Metric.counter("rate_limit_refusals_total", {
  description: "Requests over a rate limit, by the name of the limit",
  incremental: true
})

/** A program that makes the names of its limits from input must not fill the memory. */
const maxNames = 200

/** Counts refusals of one store: the counter of a name is made once. */
export const make = (): ((scope: string) => Effect.Effect<void>) => {
  const counters = new Map<string, Effect.Effect<void>>()
  const counterOf = (limit: string) => Metric.increment(Metric.tagged(total, "limit", limit))
  const others = counterOf("other")
  return (scope) => {
    const known = counters.get(scope)
    if (known !== undefined) return known
    if (counters.size >= maxNames) return others
    const counter = counterOf(scope)
    counters.set(scope, counter)
    return counter
  }
}
