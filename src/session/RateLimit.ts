// Rate limits: at most `limit` hits in any `window`, counted by all workers together.
import { Context, type Duration, Effect, Schema } from "effect"
import * as ErrorResponse from "../http/internal/ErrorResponse.ts"
import { english, HttpTexts } from "../http/HttpTexts.ts"
import { RequestState } from "../http/internal/RequestState.ts"
import * as Words from "../http/internal/text/Words.ts"
import * as ForwardedFor from "./internal/ForwardedFor.ts"

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
  },
  ErrorResponse.declared(429, "Over a rate limit, which the pages share.")
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

/**
 * Counts hits by rule and key in one store; of concurrent hits exactly `limit` are allowed.
 *
 * @example
 * ```ts
 * import { Duration, Effect } from "effect"
 * import { RateLimit } from "effect-framework/session"
 *
 * const rule: RateLimit.Rule = { scope: "supplier", limit: 100, window: "1 hour" }
 *
 * // Outside of a request: all workers together call the supplier a hundred times an hour at most.
 * export const whenAllowed: Effect.Effect<void, never, RateLimit.RateLimit> = Effect.gen(function* () {
 *   const limits = yield* RateLimit.RateLimit
 *   const { allowed, retryAfter } = yield* limits.hit(rule, "leaves")
 *   if (allowed) return
 *   yield* Effect.sleep(Duration.seconds(retryAfter))
 *   yield* whenAllowed
 * })
 * ```
 */
export class RateLimit extends Context.Tag("effect-framework/session/RateLimit")<
  RateLimit,
  {
    /** Counts a hit under the key, or refuses it; refused hits do not count. */
    readonly hit: (rule: Rule, key: string) => Effect.Effect<Decision>
    /** Deletes counters whose window has passed; returns how many. */
    readonly sweep: Effect.Effect<number>
  }
>() {}

/**
 * Counts this request under the key and fails over the limit, unless `allowed` lets it pass. The response's headers tell how
 * many are left.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Identity, RateLimit } from "effect-framework/session"
 * import { Texts } from "effect-framework/routes/http"
 * import { Flash, Respond } from "effect-framework/routes/session"
 *
 * const rule: RateLimit.Rule = { scope: "samples", limit: 3, window: "1 day" }
 *
 * // Inside `Access.requireUser`: counted by account, and refused with a message on the page of samples.
 * export const order = Effect.gen(function* () {
 *   const { id } = yield* Identity.CurrentIdentity
 *   yield* RateLimit.spend(rule, id)
 *   return yield* Respond.redirectWithFlash("/samples", Flash.success("Your sample is on its way."))
 * }).pipe(
 *   Effect.catchTag("TooManyRequests", (failure: RateLimit.TooManyRequests) =>
 *     Effect.flatMap(Texts.message(failure), (error) =>
 *       Respond.redirectWithFlash("/samples", Flash.error(error), { status: 429, value: { error } })
 *     )
 *   )
 * )
 * ```
 */
export const spend = <E = never, R = never>(
  rule: Rule,
  key: string,
  allowed: Effect.Effect<boolean, E, R> = Effect.succeed(false)
): Effect.Effect<void, E | TooManyRequests, R | RateLimit | RequestState> =>
  Effect.gen(function* () {
    const decision = yield* (yield* RateLimit).hit(rule, key)
    if (!decision.allowed && (yield* allowed)) return
    const { headers } = yield* RequestState
    // With two limits on one route, the headers are those of the one that refuses, else of the first.
    if (!decision.allowed || !headers.has("x-ratelimit-limit")) {
      headers.set("x-ratelimit-limit", String(decision.limit))
      headers.set("x-ratelimit-remaining", String(decision.remaining))
      headers.set("x-ratelimit-reset", String(decision.reset))
    }
    if (decision.allowed) return
    // An API encodes the body of this failure, not its headers.
    headers.set("retry-after", String(decision.retryAfter))
    return yield* new TooManyRequests({ scope: rule.scope, retryAfter: decision.retryAfter })
  })

// IPv6 clients count by /64.
const byAddress: Effect.Effect<string, never, RequestState> = Effect.map(RequestState, ({ clientAddress }) =>
  ForwardedFor.bucket(clientAddress)
)

/**
 * The handler behind the limit, counted by the client's address or by a key of your own. A refused request goes no further.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter } from "@effect/platform"
 * import { Effect } from "effect"
 * import { RateLimit } from "effect-framework/session"
 * import { Respond } from "effect-framework/routes/session"
 *
 * const limited = RateLimit.middleware({ scope: "orders", limit: 5, window: "1 minute" })
 * const order = Effect.succeed(Respond.text("Your tea is coming."))
 *
 * export const route = HttpLayerRouter.route("POST", "/orders", limited(order))
 * ```
 */
export const middleware =
  <E2 = never, R2 = RequestState>(rule: Rule, key?: Effect.Effect<string, E2, R2>) =>
  <A, E, R>(
    handler: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | E2 | TooManyRequests, R | R2 | RequestState | RateLimit> =>
    Effect.zipRight(
      Effect.flatMap<string, E2, R2 | RequestState, void, TooManyRequests, RequestState | RateLimit>(
        key ?? byAddress,
        (counted) => spend(rule, counted)
      ),
      handler
    )
