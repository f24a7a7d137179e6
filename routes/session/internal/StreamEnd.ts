// When a response that stays open has to end: the server stops, or the session or API token that opened it ends.
import { HttpServerRequest } from "@effect/platform"
import { type Duration, Effect, Option } from "effect"
import * as GrantedScopes from "../../../src/session/internal/GrantedScopes.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { Sessions } from "../../../src/session/Session.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import { OpenStreams } from "../../../src/http/internal/OpenStreams.ts"

/** Completes when it is `false`, looked up at each interval. */
const untilFalse = (isAlive: Effect.Effect<boolean>, interval: Duration.DurationInput) =>
  Effect.delay(isAlive, interval).pipe(
    Effect.repeat({ while: (alive) => alive }),
    Effect.asVoid,
    // A store that cannot be read: the client reconnects, and the guard decides.
    Effect.catchAllCause(() => Effect.void)
  )

// A route behind a guard has its account. The lookup reads no cookie again: a rotated one would look stolen.
const signedOut = Effect.fnUntraced(function* (interval: Duration.DurationInput) {
  const granted = yield* GrantedScopes.current
  if (granted !== undefined) return untilFalse(granted.isValid, interval)
  if (Option.isNone(yield* Effect.serviceOption(CurrentIdentity))) return Effect.never
  const sessions = yield* Effect.serviceOption(Sessions)
  const exchange = yield* Effect.serviceOption(RequestState)
  if (Option.isNone(sessions) || Option.isNone(exchange)) {
    // It would stay open after the sign-out.
    return yield* Effect.dieMessage(
      "A response of a signed-in account that stays open needs `Sessions` and a `Pipeline`"
    )
  }
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const isAlive = yield* sessions.value.attach(exchange.value, headers).liveness
  return Option.isNone(isAlive) ? Effect.never : untilFalse(isAlive.value, interval)
})

/** Takes a place for the response of this request, and gives what completes when the response has to end, with the reason. */
export const of = Effect.fnUntraced(function* (interval: Duration.DurationInput) {
  const { enter, stopped } = yield* OpenStreams
  yield* enter
  return Effect.race(
    Effect.as(stopped, "Stopped" as const),
    Effect.as(yield* signedOut(interval), "SignedOut" as const)
  )
})
