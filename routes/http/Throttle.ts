// Rate limits. A refused request goes no further: no password is hashed for it.
import type { HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import * as ForwardedFor from "../../src/auth/ForwardedFor.ts"
import * as RateLimit from "../../src/auth/RateLimit.ts"
import * as SlidingWindow from "../../src/auth/SlidingWindow.ts"
import { Exchange } from "../../src/http/Exchange.ts"

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

// IPv6 clients count by /64.
const byAddress: Effect.Effect<string, never, Exchange> = Effect.map(Exchange, ({ clientAddress: peer }) =>
  ForwardedFor.bucket(peer)
)

/** Counts one request under the key and fails over the limit. The response's headers tell how many are left. */
export const spend = Effect.fnUntraced(function* (rule: RateLimit.Rule, key: string) {
  const limits = yield* RateLimit.RateLimit
  const { headers } = yield* Exchange
  const verdict = yield* limits.hit(rule, key)
  // With two limits on one route, the headers are those of the one that refuses, else of the first.
  if (!verdict.allowed || !headers.has("x-ratelimit-limit")) {
    for (const [name, value] of SlidingWindow.headers(verdict)) headers.set(name, value)
  }
  if (verdict.allowed) return
  return yield* new RateLimit.TooManyRequests({ scope: rule.scope, retryAfter: verdict.retryAfter })
})

/** The handler, behind the limit: `Throttle.limited({ scope: "login", limit: 5, window: "60 seconds" })(handler)`. */
export const limited =
  <E2 = never, R2 = Exchange>(rule: RateLimit.Rule, key?: Effect.Effect<string, E2, R2>) =>
  <E, R>(
    handler: Handler<E, R>
  ): Handler<E | E2 | RateLimit.TooManyRequests, R | R2 | Exchange | RateLimit.RateLimit> =>
    Effect.zipRight(
      Effect.flatMap<string, E2, R2 | Exchange, void, RateLimit.TooManyRequests, Exchange | RateLimit.RateLimit>(
        key ?? byAddress,
        (counted) => spend(rule, counted)
      ),
      handler
    )
