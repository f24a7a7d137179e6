// A worker of a fleet as a process of its own, told what to do by its parent.
import { Effect, Layer, ManagedRuntime } from "effect"
import * as FileFleet from "../../../layers/observability/FileFleet.ts"
import * as WorkerObservability from "../../../layers/observability/WorkerObservability.ts"
import * as Counter from "../../../src/observability/Counter.ts"
import { Fleet } from "../../../src/observability/Fleet.ts"
import * as Gauge from "../../../src/observability/Gauge.ts"
import * as Histogram from "../../../src/observability/Histogram.ts"
import { constants, setPriority } from "node:os"
import { Observability } from "../../../src/observability/Observability.ts"

/** The commands of a parent; the reply to each is the total of the fleet, or empty. */
export type Order =
  | { readonly _tag: "Add"; readonly by: number }
  /** Writes and dumps without a pause until it is killed. */
  | { readonly _tag: "Storm" }
  | { readonly _tag: "Gather" }
  | { readonly _tag: "End" }

// The reader is what is looked at: on a machine with few processors it must get its turn.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const [, , directory = "", kind = "worker"] = process.argv

const runtime = ManagedRuntime.make(
  kind === "worker"
    ? FileFleet.layer({ directory, every: "1 hour" }).pipe(
        Layer.provideMerge(WorkerObservability.layerWith({ collectors: false }))
      )
    : Layer.merge(FileFleet.layerObserver({ directory }), WorkerObservability.layerWith({ collectors: false }))
)

const program = Effect.gen(function* () {
  const { metrics } = yield* Observability
  const fleet = yield* Fleet
  const counter = yield* Counter.make("writes_total")
  const gauge = yield* Gauge.make("writers")
  const histogram = yield* Histogram.make("write_size", { buckets: [1, 10] })
  // As the collectors and the sockets label theirs.
  const labels = { pid: String(process.pid) }
  const own = yield* Counter.make("writer_bytes_total", { labels })
  const ownGauge = yield* Gauge.make("writer_memory_bytes", { labels })
  gauge.set(1)
  for (const instrument of [counter, gauge, histogram, own, ownGauge]) yield* metrics.push(instrument)
  const add = (by: number) => {
    counter.increment(by)
    own.increment(by)
    histogram.observe(by)
  }
  const total = Effect.map(fleet.gather, ({ snapshot }) => {
    const [item] = snapshot.metrics.get("writes_total")?.series ?? []
    return item !== undefined && "value" in item ? item.value : 0
  })
  const storm = Effect.forever(
    Effect.zipRight(
      Effect.sync(() => add(1)),
      Effect.zipRight(fleet.dump, Effect.yieldNow())
    )
  )
  const obey = (order: Order): Effect.Effect<number> => {
    switch (order._tag) {
      case "Add":
        return Effect.zipRight(
          Effect.sync(() => add(order.by)),
          Effect.as(fleet.dump, 0)
        )
      case "Storm":
        return Effect.as(Effect.forkDaemon(storm), 0)
      case "Gather":
        return total
      case "End":
        return Effect.as(
          Effect.sync(() => void runtime.dispose().then(() => process.disconnect())),
          0
        )
    }
  }
  yield* fleet.dump
  return obey
})

const obey = await runtime.runPromise(program)
process.on("message", (order: Order) => {
  void runtime.runPromise(obey(order)).then((total) => process.send?.(total))
})
process.send?.("ready")
