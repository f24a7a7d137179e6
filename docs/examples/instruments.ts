import { Effect } from "effect"
import {
  Counter,
  Gauge,
  Histogram,
  Instrument,
  Labels,
  Observability,
  Prometheus,
  type Snapshot
} from "effect-framework/observability"
import { WorkerObservability } from "effect-framework/layers/observability"

const program = Effect.gen(function* () {
  const observability = yield* Observability.Observability
  const orders = yield* Counter.family("orders_total", { help: "Orders by country", labels: ["country"] })
  const waiting = yield* Gauge.make("orders_waiting", { help: "Orders that nobody has packed" })
  const price = yield* Histogram.make("order_price_euros", { help: "What they cost", buckets: [10, 100] })
  const disk = yield* Gauge.observable("disk_free_ratio", () => 0.25, { help: "Asked for at each snapshot" })
  for (const instrument of [orders, waiting, price, disk]) yield* observability.metrics.push(instrument)

  // An Effect that is run at each snapshot, usually a query: a reading for each metric, a series for each row.
  const shelves = Effect.succeed([{ shelf: "a", pieces: 7 }])
  const stock = (rows: Effect.Effect.Success<typeof shelves>): Snapshot.Reading => ({
    name: "stock_pieces",
    type: "gauge",
    help: "Pieces in stock",
    aggregation: "max",
    series: rows.map(({ pieces, shelf }) => ({ labels: Labels.of({ shelf }), value: pieces }))
  })
  yield* observability.collectors.push({ name: "stock", collect: Effect.map(shelves, (rows) => [stock(rows)]) })

  const toFrance = orders.with({ country: "fr" })
  toFrance.increment()
  toFrance.increment(2)
  waiting.set(3)
  price.observe(12.5)

  // The same write as an Effect fails where the plain one throws.
  const refused = yield* Effect.flip(Instrument.effect(() => toFrance.increment(-1)))
  console.log(refused.message)
  console.log(yield* observability.export(Prometheus.exporter))
})

const registry = WorkerObservability.layerWith({ collectors: false })
await Effect.runPromise(Effect.scoped(Effect.provide(program, registry)))
