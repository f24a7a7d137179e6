// Security events, counted by name and outcome for the operator.
import { Effect, Metric } from "effect"
import type { Event, SecurityEvent } from "../SecurityEvents.ts"

// An Effect `Metric`, so that it works without our observability. Both labels are literals of our own.
const total = Metric.counter("auth_events_total", {
  description: "Security events of accounts by name and outcome",
  incremental: true
})

type Outcome = SecurityEvent["outcome"]

const counters = new Map<string, typeof total>()

const counterOf = (event: Event["_tag"], outcome: Outcome) => {
  const key = `${event} ${outcome}`
  const known = counters.get(key)
  if (known !== undefined) return known
  const made = total.pipe(Metric.tagged("event", event), Metric.tagged("outcome", outcome))
  counters.set(key, made)
  return made
}

/** Counts one event. */
export const add = (event: Event["_tag"], outcome: Outcome): Effect.Effect<void> =>
  Metric.increment(counterOf(event, outcome))

const watched = [
  ["SignInFailed", "failure"],
  ["FactorFailed", "failure"],
  ["Theft", "success"],
  ["ReportedNotMe", "success"]
] as const

/** Registers the events that an operator has an alarm for with 0, so that the first one is an increase. */
export const prepare: Effect.Effect<void> = Effect.forEach(
  watched,
  ([event, outcome]) => Metric.incrementBy(counterOf(event, outcome), 0),
  { discard: true }
)
