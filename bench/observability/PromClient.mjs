// The same work with prom-client 15; prints nanoseconds, or microseconds for the large ones, as JSON.
import client from "prom-client"
import { measureAll } from "./Stopwatch.mjs"

const registry = new client.Registry()
const counter = new client.Counter({ name: "plain_total", help: "Plain", registers: [registry] })
const labelNames = ["method", "route", "status"]
const labelled = new client.Counter({ name: "labelled_total", help: "Labelled", labelNames, registers: [registry] })
const child = labelled.labels({ method: "GET", route: "/articles", status: "200" })
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const histogram = new client.Histogram({
  name: "h",
  help: "H",
  labelNames: ["method", "route"],
  buckets,
  registers: [registry]
})
const timed = histogram.labels({ method: "GET", route: "/articles" })

const large = new client.Registry()
for (let name = 0; name < 10; name++) {
  const metric = new client.Counter({ name: `m${name}_total`, help: "Many", labelNames, registers: [large] })
  for (let route = 0; route < 1000; route++)
    metric.inc({ method: "GET", route: `/path/${route}`, status: "200" }, route)
}

const texts = Array.from({ length: 16 }, (_, worker) =>
  JSON.stringify(
    Array.from({ length: 10 }, (_, name) => ({
      help: "Many",
      name: `m${name}_total`,
      type: "counter",
      aggregator: "sum",
      values: Array.from({ length: 100 }, (_, route) => ({
        value: worker + route,
        labels: { method: "GET", route: `/path/${route}`, status: "200" }
      }))
    }))
  )
)

await measureAll({
  unlabelled: [
    2_000_000,
    (runs) => {
      for (let run = 0; run < runs; run++) counter.inc()
    }
  ],
  labelled: [
    300_000,
    (runs) => {
      for (let run = 0; run < runs; run++) child.inc()
    }
  ],
  histogram: [
    300_000,
    (runs) => {
      for (let run = 0; run < runs; run++) timed.observe((run & 15) / 2)
    }
  ],
  exposition: [
    3,
    async (runs) => {
      for (let run = 0; run < runs; run++) await large.metrics()
    }
  ],
  merge: [
    3,
    (runs) => {
      for (let run = 0; run < runs; run++) client.AggregatorRegistry.aggregate(texts.map((text) => JSON.parse(text)))
    }
  ]
})
