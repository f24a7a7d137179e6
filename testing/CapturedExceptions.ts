// Exceptions that stay in memory: nothing is written to a log, and a test can ask why it got a 500.
import { Context, Effect, Layer } from "effect"
import * as WorkerReporters from "../layers/errors/WorkerReporters.ts"
import { Reporters } from "../src/errors/Reporters.ts"
import type { Throwable } from "../src/errors/Throwable.ts"

/** What was reported while the test ran. */
export class CapturedExceptions extends Context.Tag("effect-framework/testing/CapturedExceptions")<
  CapturedExceptions,
  {
    /** What was reported so far, the oldest first. */
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

/** Reporters that keep what they are told. */
export const layer: Layer.Layer<CapturedExceptions | Reporters> = Layer.scoped(CapturedExceptions, make).pipe(
  Layer.provideMerge(WorkerReporters.layer)
)
