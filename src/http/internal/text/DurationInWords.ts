// A lifetime in words for a message: `90 minutes`, `2 days`.
import { Duration } from "effect"
import * as Words from "./Words.ts"

/** Rounds down: the text never promises more than the lifetime. */
export const durationInWords = (ttl: Duration.DurationInput, locale: string = "en"): string => {
  const unit = (count: number, name: Words.Unit): string => Words.duration(count, name, locale)
  const minutes = Math.floor(Duration.toMinutes(ttl))
  if (minutes >= 2880) return unit(Math.floor(minutes / 1440), "day")
  if (minutes >= 60 && (minutes % 60 === 0 || minutes >= 300)) return unit(Math.floor(minutes / 60), "hour")
  return minutes >= 1 ? unit(minutes, "minute") : unit(Math.max(1, Math.floor(Duration.toSeconds(ttl))), "second")
}
