// Counts the work that runs after responses.
import { Context, Effect, Layer } from "effect"
import { BackgroundWork } from "./BackgroundWork.ts"

/** Counts a piece of work from `begin` to `end`. */
export class WorkCounter extends Context.Tag("effect-framework/testing/WorkCounter")<
  WorkCounter,
  { readonly begin: Effect.Effect<void>; readonly end: Effect.Effect<void> }
>() {}

const make = Effect.gen(function* () {
  const idle = yield* Effect.makeLatch(true)
  let open = 0
  return Context.make(BackgroundWork, { idle: idle.await }).pipe(
    Context.add(WorkCounter, {
      begin: Effect.suspend(() => (open++ === 0 ? idle.close : Effect.void)),
      end: Effect.suspend(() => (--open === 0 ? idle.open : Effect.void))
    })
  )
})

/** A counter at zero. */
export const layer: Layer.Layer<BackgroundWork | WorkCounter> = Layer.effectContext(make)
