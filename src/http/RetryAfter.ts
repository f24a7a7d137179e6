// How long to wait, in words for a person.

const count = (number: number, unit: string): string => `${number} ${unit}${number === 1 ? "" : "s"}`

/** The seconds of a `Retry-After` in words, rounded up: a client that waits that long is not too early. */
export const inWords = (seconds: number): string => {
  const whole = Math.max(1, Math.ceil(seconds))
  if (whole < 120 && whole !== 60) return count(whole, "second")
  const minutes = Math.ceil(whole / 60)
  return minutes < 120 && minutes !== 60 ? count(minutes, "minute") : count(Math.ceil(minutes / 60), "hour")
}
