// Reporters that keep their exceptions in memory and log none of them.
import { Effect, Layer } from "effect"
import * as WorkerReporters from "../layers/errors/WorkerReporters.ts"
import { Reporters } from "../src/errors/Reporters.ts"
import type { Throwable } from "../src/errors/Throwable.ts"
import { CapturedExceptions } from "./CapturedExceptions.ts"

const make = Effect.gen(function* () {
  const reporters = yield* Reporters
  const reported: Array<Throwable> = []
  yield* reporters.add((throwable) => void reported.push(throwable))
  return CapturedExceptions.of({
    reported: Effect.as(reporters.settle, reported)
  })
})

/** Reporters that keep their exceptions. */
export const layer: Layer.Layer<CapturedExceptions | Reporters> = Layer.scoped(CapturedExceptions, make).pipe(
  Layer.provideMerge(WorkerReporters.layer)
)
