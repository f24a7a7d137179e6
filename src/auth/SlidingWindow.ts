// The sliding window of a rate limit: the times of the last hits, and the decision about one more.
import { Duration } from "effect"
import type { Rule, Decision } from "./RateLimit.ts"

/** Milliseconds as text of one width, so that a row of them can be cut by position in either database. */
export const stampWidth = 13

/** A moment as such a text. */
export const stamp = (millis: number): string => String(Math.floor(millis)).padStart(stampWidth, "0")

/** The stamps of the hits that passed, oldest first. */
export const stamps = (hits: string): ReadonlyArray<number> =>
  Array.from({ length: Math.floor(hits.length / stampWidth) }, (_, index) =>
    Number(hits.slice(index * stampWidth, (index + 1) * stampWidth))
  )

/** Whether one more would be too many. */
export const isFull = (hits: string, rule: Rule, now: number): boolean => {
  const since = now - Duration.toMillis(rule.window)
  const oldest = stamps(hits).at(-rule.limit)
  return oldest !== undefined && oldest > since
}

/** What is known after a hit: `hits` holds it already when it was allowed. */
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

/** The headers that every answer of a limited route carries. */
export const headers = (verdict: Decision): ReadonlyArray<readonly [string, string]> => [
  ["x-ratelimit-limit", String(verdict.limit)],
  ["x-ratelimit-remaining", String(verdict.remaining)],
  ["x-ratelimit-reset", String(verdict.reset)]
]
