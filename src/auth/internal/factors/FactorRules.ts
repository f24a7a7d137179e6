// The bounds of second factors and of sign-ins that wait for one.
import { Duration } from "effect"

/** Seconds of one step of a one-time code. */
export const stepSeconds = 30

/** Digits of a one-time code. */
export const codeDigits = 6

/** Steps by which the clock of a device may be ahead or behind. */
export const drift = 1

/** One-time code factors of one account at a time. */
export const maxFactors = 10

/** Characters of the name of a factor. */
export const maxName = 100

/** Recovery codes that are made together. */
export const recoveryCodes = 10

/** How long the page of a new factor can be confirmed. */
export const enrollmentLifetime = Duration.minutes(15)

/** How long a sign-in waits for its factor. */
export const pendingLifetime = Duration.minutes(10)

/** Wrong codes after which a sign-in begins from the start. */
export const maxTries = 5

/** Wrong codes from unknown devices, since the password was set, after which it signs in on known devices alone. */
export const maxWrongCodes = 100

/** The step of a moment in epoch seconds. */
export const stepOf = (seconds: number): number => Math.floor(seconds / stepSeconds)

/** The steps whose codes are accepted at this moment, the most likely first. */
export const acceptedSteps = (seconds: number): ReadonlyArray<number> => {
  const now = stepOf(seconds)
  const around = Array.from({ length: drift }, (_, index) => [now - index - 1, now + index + 1]).flat()
  return [now, ...around].filter((step) => step >= 0)
}
