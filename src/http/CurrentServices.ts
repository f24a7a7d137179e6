// The services of the running fiber, in one step of Effect's interpreter: `Effect.contextWithEffect` takes three and a tag
// takes two for each service. A page reads dozens of them, and its steps took a third of its time.
import { type Context, Effect } from "effect"

/** The effect that a function makes of the services. A boundary: the context holds what the type of the effect asks for. */
export const use = <R, A, E, R2>(
  make: (services: Context.Context<R>) => Effect.Effect<A, E, R2>
): Effect.Effect<A, E, R | R2> =>
  Effect.withFiberRuntime<A, E, R | R2>(({ currentContext }) => make(currentContext as Context.Context<R>))

/** The value that a function reads from the services. */
export const read = <R, A>(of: (services: Context.Context<R>) => A): Effect.Effect<A, never, R> =>
  use((services: Context.Context<R>) => Effect.succeed(of(services)))
