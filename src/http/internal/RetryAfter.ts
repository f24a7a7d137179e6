// How long to wait, in words for a person.
import * as Words from "./text/Words.ts"

/** The seconds of a `Retry-After` in words, rounded up: a client that waits that long is not too early. */
export const inWords = (seconds: number, locale: string = "en"): string => {
  const whole = Math.max(1, Math.ceil(seconds))
  if (whole < 120 && whole !== 60) return Words.duration(whole, "second", locale)
  const minutes = Math.ceil(whole / 60)
  return minutes < 120 && minutes !== 60
    ? Words.duration(minutes, "minute", locale)
    : Words.duration(Math.ceil(minutes / 60), "hour", locale)
}
