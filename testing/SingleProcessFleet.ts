// A fleet of one that leaves no files: a timer that writes every ten seconds would run hundreds of times whenever a test
// moves its clock by hours.
import { Effect, Layer } from "effect"
import { Fleet } from "../src/observability/Fleet.ts"
import { Observability } from "../src/observability/Observability.ts"
import * as Snapshot from "../src/observability/Snapshot.ts"

/** The fleet of one. */
export const layer: Layer.Layer<Fleet, never, Observability> = Layer.effect(
  Fleet,
  Effect.map(Observability, ({ gather }) => ({
    dump: Effect.void,
    gather: Effect.map(gather, (snapshot) => ({ snapshot, started: snapshot.timestamp })),
    retire: () => Effect.void,
    aggregate: () => Effect.succeed(Snapshot.make(0, []))
  }))
)
