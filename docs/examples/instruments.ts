import { Effect } from "effect"
import { Counter, Gauge, Histogram, Instrument, Observability, Prometheus } from "effect-framework/observability"
import { WorkerObservability } from "effect-framework/layers/observability"

const program = Effect.gen(function* () {
  const observability = yield* Observability.Observability
  const orders = yield* Counter.family("orders_total", { help: "Orders by country", labels: ["country"] })
  const waiting = yield* Gauge.make("orders_waiting", { help: "Orders that nobody has packed" })
  const price = yield* Histogram.make("order_price_euros", { help: "What they cost", buckets: [10, 100] })
  const disk = yield* Gauge.observable("disk_free_ratio", () => 0.25, { help: "Asked for at each snapshot" })
  for (const instrument of [orders, waiting, price, disk]) yield* observability.metrics.push(instrument)

  const toFrance = orders.with({ country: "fr" })
  toFrance.increment()
  toFrance.increment(2)
  waiting.set(3)
  price.observe(12.5)

  // The same write as an Effect fails where the plain one throws.
  const refused = yield* Effect.flip(Instrument.attempt(() => toFrance.increment(-1)))
  console.log(refused.message)
  console.log(yield* observability.export(Prometheus.exporter))
})

await Effect.runPromise(Effect.provide(program, WorkerObservability.layerWith({ collectors: false })))
