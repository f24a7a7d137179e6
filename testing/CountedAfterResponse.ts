// Work after the response, as in the running program, and counted, so that a test can wait for it.
import { Effect, Layer } from "effect"
import * as BoundedAfterResponse from "../layers/errors/BoundedAfterResponse.ts"
import type { Reporters } from "../src/errors/Reporters.ts"
import { AfterResponse } from "../src/http/AfterResponse.ts"
import { WorkCounter } from "./WorkCounter.ts"

/** Counts work from the request on: a test that has the response can wait for it. */
export const layer: Layer.Layer<AfterResponse, never, WorkCounter | Reporters> = Layer.effect(
  AfterResponse,
  Effect.gen(function* () {
    const live = yield* AfterResponse
    const { begin, end } = yield* WorkCounter
    return AfterResponse.of({ run: (work) => Effect.zipRight(begin, live.run(Effect.ensuring(work, end))) })
  })
).pipe(Layer.provide(BoundedAfterResponse.layer()))
