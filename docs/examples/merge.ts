import { Either } from "effect"
import { Json, Labels, Prometheus, Snapshot } from "effect-framework/observability"

const worker = (timestamp: number, value: number) =>
  Json.exporter.export(
    Snapshot.make(timestamp, [
      {
        name: "orders_total",
        type: "counter",
        help: "Orders",
        series: [{ labels: Labels.of({ country: "fr" }), value }]
      }
    ])
  )

const files = [worker(1700000000, 3), worker(1700000001.5, 4)]
console.log(files[0])
const fleet = files.map((file) => Either.getOrThrow(Json.decode(file))).reduce(Snapshot.merge)
console.log(fleet.timestamp)
console.log(Prometheus.exporter.export(fleet))
