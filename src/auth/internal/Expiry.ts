// The states of what expires: action tokens, requests after the loss of every factor, and confirmations of a session.
import { Duration } from "effect"
import { equal } from "../../session/internal/SplitToken.ts"
import type { Purpose } from "../Tokens.ts"

/** The default lifetime of a token: an hour. */
export const tokenLifetime = Duration.seconds(3600)

/** The stored part of a token: the digest of its verifier, never the verifier. */
export interface Row {
  readonly verifier: string
  readonly purpose: string
  readonly expires: number
}

/** The state of a presented token. */
type TokenState = "Live" | "Tampered" | "Expired"

/** Compares a presented token with its row. The digests are always compared, so that timing reveals nothing. */
export const tokenState = (row: Row, digest: string, purpose: Purpose, now: number): TokenState => {
  const matches = equal(digest, row.verifier)
  if (row.expires <= now) return "Expired"
  return matches && row.purpose === purpose ? "Live" : "Tampered"
}

/** How long a recovery can be completed once its link was sent. */
export const lostFactorLifetime = Duration.days(7)

/** The shortest delay that a program can set: in it the owner of the factors reads the message and stops the recovery. */
export const minimumDelay = Duration.hours(1)

/** When a recovery can be completed, and until when; in epoch seconds. */
interface LostFactorTimes {
  readonly ready: number
  readonly expires: number
}

/** The state of a recovery that was neither cancelled nor completed. */
type LostFactorState = "Waiting" | "Ready" | "Expired"

/** The state at this moment. */
export const lostFactorState = ({ expires, ready }: LostFactorTimes, now: number): LostFactorState => {
  if (now >= expires) return "Expired"
  return now >= ready ? "Ready" : "Waiting"
}

/** The times of a recovery that is requested now. */
export const lostFactorTimes = (now: number, delay: Duration.DurationInput): LostFactorTimes => {
  const ready = now + Math.ceil(Duration.toSeconds(delay))
  return { ready, expires: ready + Duration.toSeconds(lostFactorLifetime) }
}

/** The key of the session's data under which the time of the confirmation is stored, in epoch seconds. */
export const confirmationKey = "confirmed"

// The clocks of two machines differ by less.
const maxSkew = 60

/** Whether a stored confirmation is still recent. Text that is not a time, or a time in the future, is not. */
export const isConfirmed = (stored: string | undefined, now: number, ttl: Duration.Duration): boolean => {
  if (stored === undefined || !/^\d{1,12}$/.test(stored)) return false
  const age = now - Number(stored)
  return age >= -maxSkew && age < Duration.toSeconds(ttl)
}
