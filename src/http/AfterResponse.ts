// Work that starts after the response is sent, so that timing does not reveal whether there was any.
import { Context, type Effect, type Scope } from "effect"
import type { RequestState } from "./internal/RequestState.ts"

export type { RequestState } from "./internal/RequestState.ts"

/**
 * Runs work after the response; a server that stops waits for it.
 *
 * @example
 * ```ts
 * import { Effect, Option } from "effect"
 * import { Users } from "effect-framework/auth"
 * import { AfterResponse } from "effect-framework/http"
 * import { Respond } from "effect-framework/routes/session"
 *
 * // Neither the response nor its time tells whether the address has an account.
 * export const share = (email: string) =>
 *   Effect.gen(function* () {
 *     const { run } = yield* AfterResponse.AfterResponse
 *     const { fetch } = yield* Users.Users
 *     const work = Effect.flatMap(fetch(email), (found) =>
 *       Option.isSome(found) ? Effect.log(`the shelf is shared with ${found.value.id}`) : Effect.void
 *     )
 *     yield* run(work)
 *     return Respond.text("Whoever has this address sees your shelf now.")
 *   })
 * ```
 */
export class AfterResponse extends Context.Tag("effect-framework/http/AfterResponse")<
  AfterResponse,
  {
    /**
     * Starts the work once the response to this request has been sent. Its failures are reported and change nothing for
     * the client.
     */
    readonly run: <E, R>(work: Effect.Effect<void, E, R>) => Effect.Effect<void, never, R | RequestState | Scope.Scope>
  }
>() {}
