// The last ten minutes of the fleet, in memory, for the dashboard.
import { Context, Effect, Layer, Schedule } from "effect"
import { Fleet } from "../../src/observability/Fleet.ts"
import * as Figures from "./Figures.ts"

/** Seconds between two points. */
export const every = 5

const maxPoints = 120

export class History extends Context.Tag("effect-framework/demo/History")<
  History,
  { readonly points: () => ReadonlyArray<Figures.Point> }
>() {}

export const layer: Layer.Layer<History, never, Fleet> = Layer.scoped(
  History,
  Effect.gen(function* () {
    const fleet = yield* Fleet
    let points: ReadonlyArray<Figures.Point> = []
    const sample = Effect.map(fleet.gather, ({ snapshot }) => {
      points = [...points.slice(1 - maxPoints), Figures.point(snapshot)]
    })
    yield* Effect.forkScoped(Effect.repeat(sample, Schedule.spaced(`${every} seconds`)))
    return History.of({ points: () => points })
  })
)
