// What an operator is told of accounts: security events, thefts and sign-ins, counted by outcome.
import { Effect, Metric } from "effect"
import type { Event, SecurityEvent } from "../SecurityEvents.ts"
import type { AccountId } from "../../session/Identity.ts"

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
export const recordEvent = (event: Event["_tag"], outcome: Outcome): Effect.Effect<void> =>
  Metric.increment(counterOf(event, outcome))

const watched = [
  ["SignInFailed", "failure"],
  ["FactorFailed", "failure"],
  ["SecondStepExhausted", "failure"],
  ["Theft", "success"],
  ["ReportedNotMe", "success"]
] as const

/** Registers the events that an operator has an alarm for with 0, so that the first one is an increase. */
export const prepareEvents: Effect.Effect<void> = Effect.forEach(
  watched,
  ([event, outcome]) => Metric.incrementBy(counterOf(event, outcome), 0),
  { discard: true }
)

/** How many thefts were detected. An Effect `Metric`, so that it works without our observability. */
export const thefts = Metric.counter("auth_thefts_total", {
  description: "Remember cookies that were used a second time",
  incremental: true
})

/** Registers the counter with 0, so that the first theft is an increase. */
export const prepareThefts: Effect.Effect<void> = Metric.incrementBy(thefts, 0)

/** Where the replayed token came from: the state of its request, or the device that sent it. */
export interface TheftSource {
  /** The pattern, never the path. */
  readonly route?: string
  readonly clientAddress?: string
  /** The address of a device, when there is no request. */
  readonly address?: string
}

/** Counts one theft and logs it with the id of the account: never the e-mail, never the token. */
export const recordTheft = (
  user: AccountId,
  { clientAddress = "", address = clientAddress, route = "" }: TheftSource
): Effect.Effect<void> =>
  Effect.zipRight(
    Metric.increment(thefts),
    Effect.annotateLogs(
      Effect.logWarning("Remember token replayed: every device and session of the account was revoked"),
      {
        user,
        route,
        peer: address
      }
    )
  )

// An Effect `Metric`, so that it works without our observability.
const signIns = Metric.counter("auth_sign_ins_total", {
  description: "Sign-ins with a password by outcome",
  incremental: true
})

/** How an attempt to sign in ended. */
type SignInOutcome =
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

const outcomes: ReadonlyArray<SignInOutcome> = [
  "success",
  "failure",
  "limited",
  "refused",
  "unavailable",
  "pending",
  "factor_failure"
]

const signInCounters = new Map(outcomes.map((outcome) => [outcome, Metric.tagged(signIns, "outcome", outcome)]))

const addSignIns = (outcome: SignInOutcome, count: number): Effect.Effect<void> =>
  Metric.incrementBy(signInCounters.get(outcome) ?? signIns, count)

/** Counts one attempt. */
export const recordSignIn = (outcome: SignInOutcome): Effect.Effect<void> => addSignIns(outcome, 1)

/** Registers every outcome with 0, so that the first one is an increase. */
export const prepareSignIns: Effect.Effect<void> = Effect.forEach(outcomes, (outcome) => addSignIns(outcome, 0), {
  discard: true
})
