// Whether a session was confirmed recently: its owner has proved again who they are.
import { Duration } from "effect"

/** The key of the session's data under which the time of the confirmation is stored, in epoch seconds. */
export const key = "confirmed"

// The clocks of two machines differ by less.
const maxSkew = 60

/** Whether a stored confirmation is still recent. Text that is no time, or a time in the future, is none. */
export const isRecent = (stored: string | undefined, now: number, ttl: Duration.Duration): boolean => {
  if (stored === undefined || !/^\d{1,12}$/.test(stored)) return false
  const age = now - Number(stored)
  return age >= -maxSkew && age < Duration.toSeconds(ttl)
}
