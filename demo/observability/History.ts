// The last ten minutes of the fleet, in memory, for the dashboard.
import { Context, Effect, Layer, PubSub, Schedule, Stream } from "effect"
import { Fleet } from "../../src/observability/Fleet.ts"
import * as Figures from "./Figures.ts"

/** Seconds between two points. */
export const every = 5

const maxPoints = 120

export class History extends Context.Tag("effect-framework/demo/History")<
  History,
  {
    readonly points: () => ReadonlyArray<Figures.Point>
    /** All points, with each new one from now on. */
    readonly changes: Stream.Stream<ReadonlyArray<Figures.Point>>
  }
>() {}

export const layer: Layer.Layer<History, never, Fleet> = Layer.scoped(
  History,
  Effect.gen(function* () {
    const fleet = yield* Fleet
    let points: ReadonlyArray<Figures.Point> = []
    // A reader that is slow misses points: the next ones hold them.
    const changes = yield* PubSub.sliding<ReadonlyArray<Figures.Point>>(1)
    const sample = Effect.flatMap(fleet.gather, ({ snapshot }) => {
      points = [...points.slice(1 - maxPoints), Figures.point(snapshot)]
      return changes.publish(points)
    })
    yield* Effect.forkScoped(Effect.repeat(sample, Schedule.spaced(`${every} seconds`)))
    return History.of({ points: () => points, changes: Stream.fromPubSub(changes) })
  })
)
