// What an operator is told of providers: returns by provider and outcome. Both labels are bounded: the providers of the
// program, and the names below.
import { Effect, Metric } from "effect"

const outcomes = [
  "signed_in",
  "signed_up",
  // The person is asked for more: the sign-in or the sign-up is counted when it happens.
  "second_factor",
  "ask_address",
  "ask_fields",
  "connect",
  "linked",
  "confirmed",
  "taken",
  // By this program: the account is locked, or a hook has refused it.
  "refused",
  "expired",
  "unavailable",
  // As `ProviderRefused` has them.
  "declined",
  "configuration",
  "invalid",
  "claims"
] as const

/** What became of a return from a provider. */
type Outcome = (typeof outcomes)[number]

const total = Metric.counter("auth_provider_returns_total", {
  description: "Returns from providers by provider and outcome",
  incremental: true
})

// The gauges of workers are added up: 0 is a fleet in which all is well.
const unavailable = Metric.gauge("auth_provider_unavailable", {
  description: "Workers that could not read the configuration of a provider"
})

/** Notes whether the configuration of a provider is known. */
export const setReady = (provider: string, isReady: boolean): Effect.Effect<void> =>
  Effect.asVoid(Metric.set(Metric.tagged(unavailable, "provider", provider), isReady ? 0 : 1))

const counters = new Map<string, typeof total>()

const totalOf = (provider: string, outcome: Outcome) => {
  const key = `${provider} ${outcome}`
  const known = counters.get(key)
  if (known !== undefined) return known
  const made = total.pipe(Metric.tagged("provider", provider), Metric.tagged("outcome", outcome))
  counters.set(key, made)
  return made
}

/** Registers the counters of a provider with 0, so that the first failure is an increase. */
export const prepare = (provider: string): Effect.Effect<void> =>
  Effect.forEach(outcomes, (outcome) => Metric.incrementBy(totalOf(provider, outcome), 0), { discard: true })

/** Counts what became of one return. */
export const record = (provider: string, outcome: Outcome): Effect.Effect<void> =>
  Metric.increment(totalOf(provider, outcome))

/** The same for a sign-in that may have come without a provider. */
export const recordBy = (provider: string | undefined, outcome: Outcome): Effect.Effect<void> =>
  provider === undefined ? Effect.void : record(provider, outcome)
