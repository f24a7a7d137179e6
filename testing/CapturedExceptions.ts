// Exceptions kept in memory: nothing is logged, and a test can read why it got a 500.
import { Context, Effect, Layer } from "effect"
import * as WorkerReporters from "../layers/errors/WorkerReporters.ts"
import { Reporters } from "../src/errors/Reporters.ts"
import type { Throwable } from "../src/errors/Throwable.ts"

/** The exceptions that were reported during the test. */
export class CapturedExceptions extends Context.Tag("effect-framework/testing/CapturedExceptions")<
  CapturedExceptions,
  {
    /** The exceptions so far, oldest first. */
    readonly reported: Effect.Effect<ReadonlyArray<Throwable>>
  }
>() {}

const make = Effect.gen(function* () {
  const reporters = yield* Reporters
  const reported: Array<Throwable> = []
  yield* reporters.push((throwable) => void reported.push(throwable))
  return CapturedExceptions.of({
    reported: Effect.as(reporters.settle, reported)
  })
})

/** Reporters that keep their exceptions. */
export const layer: Layer.Layer<CapturedExceptions | Reporters> = Layer.scoped(CapturedExceptions, make).pipe(
  Layer.provideMerge(WorkerReporters.layer)
)
