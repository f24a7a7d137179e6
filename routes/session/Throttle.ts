// Rate limits. A refused request goes no further: no password is hashed for it.
import { Effect } from "effect"
import * as ForwardedFor from "../../src/session/internal/ForwardedFor.ts"
import type * as RateLimit from "../../src/session/RateLimit.ts"
import { Exchange } from "../../src/http/Exchange.ts"
import * as Quota from "./internal/Quota.ts"

// IPv6 clients count by /64.
const byAddress: Effect.Effect<string, never, Exchange> = Effect.map(Exchange, ({ clientAddress: peer }) =>
  ForwardedFor.bucket(peer)
)

/** The handler, behind the limit: `Throttle.limited({ scope: "login", limit: 5, window: "60 seconds" })(handler)`. */
export const limited =
  <E2 = never, R2 = Exchange>(rule: RateLimit.Rule, key?: Effect.Effect<string, E2, R2>) =>
  <A, E, R>(
    handler: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | E2 | RateLimit.TooManyRequests, R | R2 | Exchange | RateLimit.RateLimit> =>
    Effect.zipRight(
      Effect.flatMap<string, E2, R2 | Exchange, void, RateLimit.TooManyRequests, Exchange | RateLimit.RateLimit>(
        key ?? byAddress,
        (counted) => Quota.spend(rule, counted)
      ),
      handler
    )
