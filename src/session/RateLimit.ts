// Rate limits: at most `limit` hits in any `window`, counted by all workers together.
import type { Duration } from "effect"
import { Context, type Effect, Schema } from "effect"
import * as ErrorResponse from "../http/internal/ErrorResponse.ts"
import { english, HttpTexts } from "../http/HttpTexts.ts"
import * as Words from "../http/internal/text/Words.ts"

/** A limit: at most `limit` hits in any `window`. */
export interface Rule {
  /** What is limited. Rules share one store, so each needs a name of its own. */
  readonly scope: string
  readonly limit: number
  readonly window: Duration.DurationInput
}

/** The outcome of a hit, with the values of the response's headers. */
export interface Decision {
  readonly allowed: boolean
  readonly limit: number
  /** How many more hits are allowed now. */
  readonly remaining: number
  /** Epoch seconds at which the oldest counted hit leaves the window. */
  readonly reset: number
  /** Seconds until one more hit is allowed, at least 1 when this one was refused. */
  readonly retryAfter: number
}

/** The client is over a rate limit. */
export class TooManyRequests extends Schema.TaggedError<TooManyRequests>("effect-framework/session/TooManyRequests")(
  "TooManyRequests",
  {
    scope: Schema.String,
    retryAfter: Schema.Number
  }
) {
  override get message() {
    return english.refusal.tooManyRequests(Words.wait(this.retryAfter))
  }
  get [ErrorResponse.symbol]() {
    const { message, retryAfter } = this
    return ErrorResponse.of(429, {
      message,
      retryAfter,
      translate: ({ locale, texts }) => texts(HttpTexts).refusal.tooManyRequests(Words.wait(retryAfter, locale))
    })
  }
}

/** Counts hits by rule and key in one store; of concurrent hits exactly `limit` are allowed. */
export class RateLimit extends Context.Tag("effect-framework/session/RateLimit")<
  RateLimit,
  {
    /** Counts a hit under the key, or refuses it; refused hits do not count. */
    readonly hit: (rule: Rule, key: string) => Effect.Effect<Decision>
    /** Deletes counters whose window has passed; returns how many. */
    readonly sweep: Effect.Effect<number>
  }
>() {}
