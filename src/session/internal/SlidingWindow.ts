// The sliding window of a rate limit: the times of the last hits, and the decision about one more.
import { Duration } from "effect"
import type { Rule, Decision } from "../RateLimit.ts"

/** Digits of a timestamp. One width for all, so that SQL can cut a list of them by position. */
export const stampWidth = 13

/** Epoch milliseconds as text of that width. */
export const stamp = (millis: number): string => String(Math.floor(millis)).padStart(stampWidth, "0")

/** The times of the allowed hits, oldest first. */
export const stamps = (hits: string): ReadonlyArray<number> =>
  Array.from({ length: Math.floor(hits.length / stampWidth) }, (_, index) =>
    Number(hits.slice(index * stampWidth, (index + 1) * stampWidth))
  )

/** Whether one more hit would exceed the limit. */
export const isFull = (hits: string, rule: Rule, now: number): boolean => {
  const since = now - Duration.toMillis(rule.window)
  const oldest = stamps(hits).at(-rule.limit)
  return oldest !== undefined && oldest > since
}

/** The decision about a hit; `hits` already includes it when it was allowed. */
export const decide = (hits: string, rule: Rule, now: number, allowed: boolean): Decision => {
  const window = Duration.toMillis(rule.window)
  const inside = stamps(hits)
    .slice(-rule.limit)
    .filter((at) => at > now - window)
  const reset = (inside[0] ?? now) + window
  return {
    allowed,
    limit: rule.limit,
    remaining: Math.max(0, rule.limit - inside.length),
    reset: Math.ceil(reset / 1000),
    retryAfter: inside.length < rule.limit ? 0 : Math.max(1, Math.ceil((reset - now) / 1000))
  }
}
