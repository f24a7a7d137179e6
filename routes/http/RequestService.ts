// Services for the rest of one request, without a copy of the program's services.
import { HttpServerRequest } from "@effect/platform"
import { type Context, Effect } from "effect"
import * as CurrentServices from "../../src/http/CurrentServices.ts"
import * as InPlace from "../../src/http/InPlace.ts"

/**
 * Like `Effect.provideService`. A context that holds a request was made for this request, so what is added to its map
 * reaches no other; `provideService` would copy all services of the program and compare them twice.
 */
export const provide = <A, E, R, I, S>(
  effect: Effect.Effect<A, E, R>,
  tag: Context.Tag<I, S>,
  service: NoInfer<S>
): Effect.Effect<A, E, Exclude<R, I>> =>
  CurrentServices.use(({ unsafeMap }: Context.Context<never>) => {
    if (!unsafeMap.has(HttpServerRequest.HttpServerRequest.key)) return Effect.provideService(effect, tag, service)
    unsafeMap.set(tag.key, service)
    // A boundary of the type system: the service is there, it was just put there.
    return effect as Effect.Effect<A, E, Exclude<R, I>>
  })

/** Adds a service for the rest of this request: a guard gives it to the handlers behind it. */
export const add = <I, S>(tag: Context.Tag<I, S>, service: NoInfer<S>): Effect.Effect<void> =>
  CurrentServices.use(({ unsafeMap }: Context.Context<never>) =>
    unsafeMap.has(HttpServerRequest.HttpServerRequest.key)
      ? InPlace.sync(() => void unsafeMap.set(tag.key, service))
      : Effect.dieMessage(`${tag.key} was added outside of a request`)
  )

/** Like `Effect.provide`, for a few services that the request may have already: those stay. */
export const provideAll = <A, E, R, I>(
  effect: Effect.Effect<A, E, R>,
  services: Context.Context<I>
): Effect.Effect<A, E, Exclude<R, I>> =>
  CurrentServices.use(({ unsafeMap }: Context.Context<never>) => {
    if (!unsafeMap.has(HttpServerRequest.HttpServerRequest.key)) return Effect.provide(effect, services)
    for (const [key, service] of services.unsafeMap) if (!unsafeMap.has(key)) unsafeMap.set(key, service)
    // A boundary of the type system, as above.
    return effect as Effect.Effect<A, E, Exclude<R, I>>
  })
