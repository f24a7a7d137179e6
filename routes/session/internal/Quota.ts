// Counts a request against a rate limit.
import { Effect } from "effect"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as SlidingWindow from "../../../src/session/internal/SlidingWindow.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"

/** Counts one request under the key and fails over the limit. The response's headers tell how many are left. */
export const spend = Effect.fnUntraced(function* (rule: RateLimit.Rule, key: string) {
  const limits = yield* RateLimit.RateLimit
  yield* settle(rule, yield* limits.hit(rule, key))
})

/** The same, unless over the limit `otherwise` allows the request. */
export const spendUnless = <E, R>(rule: RateLimit.Rule, key: string, otherwise: Effect.Effect<boolean, E, R>) =>
  Effect.gen(function* () {
    const limits = yield* RateLimit.RateLimit
    const verdict = yield* limits.hit(rule, key)
    if (verdict.allowed || !(yield* otherwise)) yield* settle(rule, verdict)
  })

const settle = Effect.fnUntraced(function* (rule: RateLimit.Rule, verdict: RateLimit.Decision) {
  const { headers } = yield* RequestState
  // With two limits on one route, the headers are those of the one that refuses, else of the first.
  if (!verdict.allowed || !headers.has("x-ratelimit-limit")) {
    for (const [name, value] of SlidingWindow.headers(verdict)) headers.set(name, value)
  }
  if (verdict.allowed) return
  // An API encodes the body of this failure, not its headers.
  headers.set("retry-after", String(verdict.retryAfter))
  return yield* new RateLimit.TooManyRequests({ scope: rule.scope, retryAfter: verdict.retryAfter })
})
