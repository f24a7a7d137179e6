// The services of the running fiber: `Effect.contextWithEffect` takes three steps of Effect's interpreter and a tag takes
// two for each service, these take none inside of an effect that runs in place.
import { type Context, Effect } from "effect"
import * as InPlace from "./InPlace.ts"

/** The effect that a function makes of the services. A boundary: the context holds what the type of the effect asks for. */
export const use = <R, A, E, R2>(
  make: (services: Context.Context<R>) => Effect.Effect<A, E, R2>
): Effect.Effect<A, E, R | R2> =>
  InPlace.make<A, E, R | R2>(({ currentContext }) => make(currentContext as Context.Context<R>))

/** The value that a function reads from the services. */
export const read = <R, A>(of: (services: Context.Context<R>) => A): Effect.Effect<A, never, R> =>
  use((services: Context.Context<R>) => Effect.succeed(of(services)))

/** Like `Effect.provide`, without a step where the running fiber has these services already. */
export const provide = <A, E, R>(effect: Effect.Effect<A, E, R>, services: Context.Context<R>): Effect.Effect<A, E> =>
  InPlace.make<A, E, never>(({ currentContext }) =>
    // A boundary of the type system: the running fiber has what the effect asks for.
    currentContext === services ? (effect as Effect.Effect<A, E>) : Effect.provide(effect, services)
  )

/** All services, as `Effect.context` gives them. */
export const all = <R>(): Effect.Effect<Context.Context<R>, never, R> =>
  read((services: Context.Context<R>) => services)
