// The states of a recovery after the loss of every factor: it waits, can be completed for a while, and expires.
import { Duration } from "effect"

/** How long a recovery can be completed once its link was sent. */
export const lifetime = Duration.days(7)

/** The shortest delay that a program can set: in it the owner of the factors reads the message and stops the recovery. */
export const minimumDelay = Duration.hours(1)

/** When a recovery can be completed, and until when; in epoch seconds. */
export interface Times {
  readonly ready: number
  readonly expires: number
}

/** The state of a recovery that was neither cancelled nor completed. */
export type FactorRecoveryState = "Waiting" | "Ready" | "Expired"

/** The state at this moment. */
export const stateOf = ({ expires, ready }: Times, now: number): FactorRecoveryState => {
  if (now >= expires) return "Expired"
  return now >= ready ? "Ready" : "Waiting"
}

/** The times of a recovery that is requested now. */
export const timesOf = (now: number, delay: Duration.DurationInput): Times => {
  const ready = now + Math.ceil(Duration.toSeconds(delay))
  return { ready, expires: ready + Duration.toSeconds(lifetime) }
}
