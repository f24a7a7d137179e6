// Sign-ins with a password, counted by outcome for the operator.
import { Effect, Metric } from "effect"

// An Effect `Metric`, so that it works without our observability.
const total = Metric.counter("auth_sign_ins_total", {
  description: "Sign-ins with a password by outcome",
  incremental: true
})

/** How an attempt to sign in ended. */
export type Outcome =
  | "success"
  /** An unknown e-mail or a wrong password. */
  | "failure"
  /** Over a rate limit: the password was not checked. */
  | "limited"
  /** The password was right, and the program refused the sign-in. */
  | "refused"
  /** Too many passwords are being hashed. */
  | "unavailable"
  /** The password was right, and the second factor is asked for. */
  | "pending"
  /** A wrong code after the right password. */
  | "factor_failure"

const outcomes: ReadonlyArray<Outcome> = [
  "success",
  "failure",
  "limited",
  "refused",
  "unavailable",
  "pending",
  "factor_failure"
]

const counters = new Map(outcomes.map((outcome) => [outcome, Metric.tagged(total, "outcome", outcome)]))

const add = (outcome: Outcome, count: number): Effect.Effect<void> =>
  Metric.incrementBy(counters.get(outcome) ?? total, count)

/** Counts one attempt. */
export const record = (outcome: Outcome): Effect.Effect<void> => add(outcome, 1)

/** Registers every outcome with 0, so that the first one is an increase. */
export const prepare: Effect.Effect<void> = Effect.forEach(outcomes, (outcome) => add(outcome, 0), { discard: true })
