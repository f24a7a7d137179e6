// Several guards as one.
import { Effect, Option } from "effect"
import type { Identity } from "../../../src/session/Identity.ts"

type Found<R> = Effect.Effect<Option.Option<Identity>, never, R>

const none: Found<never> = Effect.succeedNone

/** Runs the guards in turn until one of them finds an account. */
export const firstOf = <const G extends ReadonlyArray<Found<unknown>>>(
  given: G
): Found<Effect.Effect.Context<G[number]>> => {
  // A boundary of the type system: a union of guards is a guard of the union.
  const guards = given as ReadonlyArray<Found<Effect.Effect.Context<G[number]>>>
  return guards.length === 0
    ? none
    : guards.reduceRight((next, guard) =>
        Effect.flatMap(guard, (found) => (Option.isSome(found) ? Effect.succeed(found) : next))
      )
}
