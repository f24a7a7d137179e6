// Work after the response, as in the running program, with a way to wait for it.
import { Context, Effect, Layer } from "effect"
import * as BoundedAfterResponse from "../layers/http/BoundedAfterResponse.ts"
import type { Reporters } from "../src/errors/Reporters.ts"
import { AfterResponse } from "../src/http/AfterResponse.ts"

/** The work that runs after responses. */
export class BackgroundWork extends Context.Tag("effect-framework/testing/BackgroundWork")<
  BackgroundWork,
  {
    /** Waits until no work is running. */
    readonly idle: Effect.Effect<void>
    readonly begin: Effect.Effect<void>
    readonly end: Effect.Effect<void>
  }
>() {}

const make = Effect.gen(function* () {
  const idle = yield* Effect.makeLatch(true)
  let open = 0
  return BackgroundWork.of({
    idle: idle.await,
    begin: Effect.suspend(() => (open++ === 0 ? idle.close : Effect.void)),
    end: Effect.suspend(() => (--open === 0 ? idle.open : Effect.void))
  })
})

/** No work yet. */
export const layer: Layer.Layer<BackgroundWork> = Layer.effect(BackgroundWork, make)

/** Runs the work and counts it from the request on, so that a test that has the response can wait for it. */
export const layerAfterResponse: Layer.Layer<AfterResponse, never, BackgroundWork | Reporters> = Layer.effect(
  AfterResponse,
  Effect.gen(function* () {
    const live = yield* AfterResponse
    const { begin, end } = yield* BackgroundWork
    return AfterResponse.of({ run: (work) => Effect.zipRight(begin, live.run(Effect.ensuring(work, end))) })
  })
).pipe(Layer.provide(BoundedAfterResponse.layer))
