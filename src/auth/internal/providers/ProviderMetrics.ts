// What an operator is told of providers: returns by provider and outcome. Both labels are bounded: the providers of the
// program, and the names below.
import { Effect, Metric } from "effect"
import type * as LinkPolicy from "./LinkPolicy.ts"

/** How a return from a provider ended: by the rule of linking, or before it. */
export type Outcome =
  | LinkPolicy.Outcome["_tag"]
  | "expired"
  | "unavailable"
  | "refused"
  | "taken"
  | "linked"
  | "confirmed"

const names: Readonly<Record<Outcome, string>> = {
  SignIn: "signed_in",
  AskAddress: "ask_address",
  SignUp: "signed_up",
  Connect: "connect",
  Link: "linked",
  expired: "expired",
  unavailable: "unavailable",
  refused: "refused",
  taken: "taken",
  linked: "linked",
  confirmed: "confirmed"
}

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

/** Counts one return. */
export const record = (provider: string, outcome: Outcome): Effect.Effect<void> =>
  Metric.increment(Metric.tagged(Metric.tagged(total, "provider", provider), "outcome", names[outcome]))
