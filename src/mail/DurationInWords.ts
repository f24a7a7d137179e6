// A lifetime in words for a message: `90 minutes`, `2 days`.
import { Duration } from "effect"

const unit = (count: number, name: string): string => `${count} ${name}${count === 1 ? "" : "s"}`

/** Rounds down: the text never promises more than the lifetime. */
export const durationInWords = (ttl: Duration.DurationInput): string => {
  const minutes = Math.floor(Duration.toMinutes(ttl))
  if (minutes >= 2880) return unit(Math.floor(minutes / 1440), "day")
  if (minutes >= 60 && (minutes % 60 === 0 || minutes >= 300)) return unit(Math.floor(minutes / 60), "hour")
  return minutes >= 1 ? unit(minutes, "minute") : unit(Math.max(1, Math.floor(Duration.toSeconds(ttl))), "second")
}
