// How often something may happen: at most `limit` times in any `window`, counted by all workers together.
import { Context, Duration, type Effect, Schema } from "effect"
import * as ErrorResponse from "../errors/ErrorResponse.ts"
import * as RetryAfter from "../http/RetryAfter.ts"

/** How often something may happen: at most `limit` times in any `window`. */
export interface Rule {
  /** Names what is limited. Rules share one store, so two of them never share a name. */
  readonly scope: string
  readonly limit: number
  readonly window: Duration.DurationInput
}

/** What a hit came to, with all that the headers of its answer say. */
export interface Decision {
  readonly allowed: boolean
  readonly limit: number
  /** How many more would pass now. */
  readonly remaining: number
  /** Epoch seconds at which the oldest counted one leaves the window. */
  readonly reset: number
  /** Seconds until one more would pass, at least 1 after a refusal. */
  readonly retryAfter: number
}

/** Over the limit. */
export class TooManyRequests extends Schema.TaggedError<TooManyRequests>("effect-framework/auth/TooManyRequests")(
  "TooManyRequests",
  {
    scope: Schema.String,
    retryAfter: Schema.Number
  }
) {
  override get message() {
    return `Too many requests. Try again in ${RetryAfter.inWords(this.retryAfter)}.`
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(429, { message: this.message, retryAfter: this.retryAfter })
  }
}

/** Counts by rule and key in one store; of many who ask at once exactly `limit` pass. */
export class RateLimit extends Context.Tag("effect-framework/auth/RateLimit")<
  RateLimit,
  {
    /** Counts one more under the key, or refuses it; a refused one does not count. */
    readonly hit: (rule: Rule, key: string) => Effect.Effect<Decision>
    /** Drops counters whose window has passed; how many there were. */
    readonly sweep: Effect.Effect<number>
  }
>() {}

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
