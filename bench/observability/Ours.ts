// The work of PromClient.mjs with our own instruments; prints nanoseconds as JSON.
import { Either } from "effect"
import * as Counter from "../../src/observability/Counter.ts"
import * as Histogram from "../../src/observability/Histogram.ts"
import * as Json from "../../src/observability/Json.ts"
import * as Prometheus from "../../src/observability/Prometheus.ts"
import * as Registry from "../../src/observability/internal/Registry.ts"
import * as Snapshot from "../../src/observability/Snapshot.ts"
import * as SnapshotDecoder from "../../src/observability/internal/snapshot/SnapshotDecoder.ts"
import { measureAll } from "./Stopwatch.mjs"

const labels = ["method", "route", "status"] as const
const counter = Either.getOrThrow(Counter.make("plain_total", { help: "Plain" }))
const labelled = Either.getOrThrow(Counter.family("labelled_total", { help: "Labelled", labels }))
const child = labelled.with({ method: "GET", route: "/articles", status: "200" })
const histogram = Either.getOrThrow(Histogram.family("h", { help: "H", labels: ["method", "route"] }))
const timed = histogram.with({ method: "GET", route: "/articles" })

const registryOf = (worker: number, routes: number) => {
  const registry = Registry.make(2_000)
  for (let name = 0; name < 10; name++) {
    const family = Either.getOrThrow(Counter.family(`m${name}_total`, { help: "Many", labels }))
    Either.getOrThrow(registry.push(family))
    for (let route = 0; route < routes; route++) {
      family.with({ method: "GET", route: `/path/${route}`, status: "200" }).increment(worker + route)
    }
  }
  return registry
}

const large = registryOf(0, 1000)
const texts = Array.from({ length: 16 }, (_, worker) =>
  Json.exporter.export(Snapshot.make(1, registryOf(worker, 100).read()))
)

const decode = (text: string, similar: Snapshot.Snapshot) =>
  Either.flatMap(SnapshotDecoder.parse(text), (document) => SnapshotDecoder.decode(document, similar))

/** As the fleet does it: labels are reused from the files that were read before. */
const merged = (): Snapshot.Snapshot => {
  let all = Snapshot.make(0, [])
  for (const text of texts) all = Snapshot.merge(all, Either.getOrThrow(decode(text, all)))
  return all
}

let kept: unknown

await measureAll({
  unlabelled: [
    2_000_000,
    (runs: number) => {
      for (let run = 0; run < runs; run++) counter.increment()
    }
  ],
  labelled: [
    2_000_000,
    (runs: number) => {
      for (let run = 0; run < runs; run++) child.increment()
    }
  ],
  histogram: [
    2_000_000,
    (runs: number) => {
      for (let run = 0; run < runs; run++) timed.observe((run & 15) / 2)
    }
  ],
  exposition: [
    5,
    (runs: number) => {
      for (let run = 0; run < runs; run++) kept = Prometheus.exporter.export(Snapshot.make(1, large.read()))
    }
  ],
  merge: [
    5,
    (runs: number) => {
      for (let run = 0; run < runs; run++) kept = merged()
    }
  ]
})

if (kept === undefined) throw new Error("no round was measured")
