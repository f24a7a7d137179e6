// How often something may happen: at most `limit` times in any `window`, counted by all workers together.
import type { Duration } from "effect"
import { Context, type Effect, Schema } from "effect"
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
