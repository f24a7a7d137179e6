// Services for one effect, without a copy of those that the request has: such a copy costs 16 µs, more than all else that an
// endpoint does. Effect's `provideService` makes one for each service.
import { type Context, Effect, FiberRef } from "effect"
import { ServiceMap } from "../../src/http/ServiceMap.ts"

type Services = ReadonlyMap<string, unknown>

class Overlay extends ServiceMap {
  readonly #over: Services
  readonly #under: Services

  constructor(over: Services, under: Services) {
    super()
    this.#over = over
    this.#under = under
  }

  get(name: string): unknown {
    return this.#over.has(name) ? this.#over.get(name) : this.#under.get(name)
  }
  has(name: string): boolean {
    return this.#over.has(name) || this.#under.has(name)
  }
  all(): Array<[string, unknown]> {
    const all = new Map(this.#under)
    for (const [name, value] of this.#over) all.set(name, value)
    return Array.from(all)
  }
}

const during = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  context: (current: Context.Context<never>) => Context.Context<never>
): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime<A, E, R>((fiber) => {
    const before = fiber.currentContext
    const back = FiberRef.set(FiberRef.currentContext, before)
    return Effect.matchCauseEffect(
      Effect.flatMap(FiberRef.set(FiberRef.currentContext, context(before)), () => effect),
      {
        onFailure: (cause) => Effect.zipRight(back, Effect.failCause(cause)),
        onSuccess: (value) => Effect.as(back, value)
      }
    )
  })

/** The effect with these services below those that the request has: one of the request wins. */
export const under = <A, E, R>(effect: Effect.Effect<A, E, R>, services: Context.Context<never>) =>
  during(effect, (current) => new Overlay(current.unsafeMap, services.unsafeMap).context())

/** The effect with this service in place of any other of its tag. */
export const provided = <A, E, R, I, S>(effect: Effect.Effect<A, E, R>, tag: Context.Tag<I, S>, service: S) => {
  const own = new Map([[tag.key, service]])
  return during(effect, (current) => new Overlay(own, current.unsafeMap).context())
}
