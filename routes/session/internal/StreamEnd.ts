// When a response that stays open has to end: the server stops, or the session or API token that opened it ends.
import { HttpServerRequest } from "@effect/platform"
import { Effect, Option } from "effect"
import * as GrantedScopes from "../../../src/session/internal/GrantedScopes.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { Sessions } from "../../../src/session/Session.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"

// A store that cannot be read: the client reconnects, and the guard decides.
const orEnded = (isAlive: Effect.Effect<boolean>) => Effect.catchAllCause(isAlive, () => Effect.succeed(false))

/** Whether the session or API token behind this request still lives; `None` without a guard. */
// A route behind a guard has its account. The lookup reads no cookie again: a rotated one would look stolen.
export const liveness = Effect.gen(function* () {
  const granted = yield* GrantedScopes.current
  if (granted !== undefined) return Option.some(orEnded(granted.isValid))
  if (Option.isNone(yield* Effect.serviceOption(CurrentIdentity))) return Option.none()
  const sessions = yield* Effect.serviceOption(Sessions)
  // It would stay open after the sign-out. An open route needs no sessions, and the type of a handler does not tell them apart.
  if (Option.isNone(sessions)) {
    return yield* Effect.dieMessage("A response of a signed-in account that stays open needs `Sessions`")
  }
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  return Option.map(yield* sessions.value.attach(yield* RequestState, headers).liveness, orEnded)
})
