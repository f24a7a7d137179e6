// Work after the answer, as in the running program, with a way to wait until there is none.
import { Context, Effect, Layer } from "effect"
import * as LiveAfterwards from "../layers/http/LiveAfterwards.ts"
import type { Reporters } from "../src/errors/Reporters.ts"
import { Afterwards } from "../src/http/Afterwards.ts"

/** Knows whether work is under way after its answer. */
export class Settled extends Context.Tag("testing/Settled")<
  Settled,
  {
    /** Waits until no work is under way after its answer. */
    readonly settled: Effect.Effect<void>
    readonly begin: Effect.Effect<void>
    readonly end: Effect.Effect<void>
  }
>() {}

const make = Effect.gen(function* () {
  const idle = yield* Effect.makeLatch(true)
  let open = 0
  return Settled.of({
    settled: idle.await,
    begin: Effect.suspend(() => (open++ === 0 ? idle.close : Effect.void)),
    end: Effect.suspend(() => (--open === 0 ? idle.open : Effect.void))
  })
})

/** Nothing is under way yet. */
export const layer: Layer.Layer<Settled> = Layer.effect(Settled, make)

/** The work itself. It counts from the request on, so that whoever has the answer can already wait for it. */
export const layerAfterwards: Layer.Layer<Afterwards, never, Settled | Reporters> = Layer.effect(
  Afterwards,
  Effect.gen(function* () {
    const live = yield* Afterwards
    const { begin, end } = yield* Settled
    return Afterwards.of({ run: (work) => Effect.zipRight(begin, live.run(Effect.ensuring(work, end))) })
  })
).pipe(Layer.provide(LiveAfterwards.layer))
