// The bounds of second factors and of sign-ins that wait for one.
import { Duration, Schema } from "effect"

/** Seconds of one step of a one-time code. */
export const stepSeconds = 30

/** Digits of a one-time code. */
export const codeDigits = 6

/** Steps by which the clock of a device may be ahead or behind. */
export const drift = 1

/** One-time code factors of one account at a time. */
export const maxFactors = 10

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

/** What can follow a password: a code of an authenticator app, a recovery code, or a passkey. */
export const FactorKind = Schema.Literal("totp", "recovery", "passkey")

export type FactorKind = typeof FactorKind.Type

/** The code is not one of the new authenticator app, or its enrollment has expired. */
export class InvalidEnrollment extends Schema.TaggedError<InvalidEnrollment>("effect-framework/auth/InvalidEnrollment")(
  "InvalidEnrollment",
  { reason: Schema.Literal("code", "expired") }
) {
  override get message() {
    return this.reason === "code" ? "The code is wrong." : "The enrollment is invalid or has expired."
  }
}

/** The account has as many factors as it may have. */
export class TooManyFactors extends Schema.TaggedError<TooManyFactors>("effect-framework/auth/TooManyFactors")(
  "TooManyFactors",
  { limit: Schema.Number }
) {
  override get message() {
    return `An account has at most ${this.limit} authenticator apps.`
  }
}
