// Rate limits. A refused request goes no further: no password is hashed for it.
import { Effect } from "effect"
import * as ForwardedFor from "../../src/session/internal/ForwardedFor.ts"
import type * as RateLimit from "../../src/session/RateLimit.ts"
import { RequestState } from "../../src/http/internal/RequestState.ts"
import * as Quota from "./internal/Quota.ts"

// IPv6 clients count by /64.
const byAddress: Effect.Effect<string, never, RequestState> = Effect.map(RequestState, ({ clientAddress: peer }) =>
  ForwardedFor.bucket(peer)
)

/** The handler, behind the limit: `Throttle.limited({ scope: "login", limit: 5, window: "60 seconds" })(handler)`. */
export const limited =
  <E2 = never, R2 = RequestState>(rule: RateLimit.Rule, key?: Effect.Effect<string, E2, R2>) =>
  <A, E, R>(
    handler: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | E2 | RateLimit.TooManyRequests, R | R2 | RequestState | RateLimit.RateLimit> =>
    Effect.zipRight(
      Effect.flatMap<
        string,
        E2,
        R2 | RequestState,
        void,
        RateLimit.TooManyRequests,
        RequestState | RateLimit.RateLimit
      >(key ?? byAddress, (counted) => Quota.spend(rule, counted)),
      handler
    )
