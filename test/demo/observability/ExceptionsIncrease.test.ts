// What Prometheus makes of `exceptions_total`: the first exception of a program is an increase.
import { expect, it } from "@effect/vitest"
import { Cause, Effect, Layer } from "effect"
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as CounterReporter from "../../../layers/observability/CounterReporter.ts"
import * as WorkerReporters from "../../../layers/errors/WorkerReporters.ts"
import * as WorkerObservability from "../../../layers/observability/WorkerObservability.ts"
import { Reporters } from "../../../src/errors/Reporters.ts"
import { Observability } from "../../../src/observability/Observability.ts"
import * as Prometheus from "../../../src/observability/Prometheus.ts"
import * as Demo from "../../support/Demo.ts"
import * as PrometheusServer from "./PrometheusServer.ts"

const layer = CounterReporter.layer.pipe(
  Layer.provideMerge(Layer.merge(WorkerReporters.layer, WorkerObservability.layerWith({ collectors: false })))
)

/** Series and values of one scrape. */
const scrape = Effect.gen(function* () {
  const { gather } = yield* Observability
  const text = Prometheus.exporter.export(yield* gather)
  return new Map(
    text
      .split("\n")
      .filter((line) => line.startsWith("exceptions_total"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), line.slice(line.lastIndexOf(" ") + 1)] as const)
  )
})

PrometheusServer.describeWith("promtool", "exceptions_total in Prometheus", () => {
  it.scoped("shows the first exception of each class in increase()", () =>
    Effect.gen(function* () {
      const { notify } = yield* Reporters
      const scrapes = [yield* scrape]
      for (const error of [new TypeError("first"), new TypeError("second"), new RangeError("first of its class")]) {
        yield* notify(Cause.die(error))
        scrapes.push(yield* scrape)
      }
      const names = new Set(scrapes.flatMap((values) => [...values.keys()]))
      const series = [...names].map((name) => ({
        series: name,
        values: scrapes.map((values) => values.get(name) ?? "_").join(" ")
      }))
      const increases = (at: string) => ({
        expr: 'sum(increase(exceptions_total{class=""}[1m])) > bool 0',
        eval_time: at,
        exp_samples: [{ labels: "{}", value: 1 }]
      })
      const file = join(yield* Demo.folder, "test.yml")
      // JSON is YAML. A scrape after each exception.
      const tests = [
        {
          interval: "30s",
          input_series: series,
          promql_expr_test: ["30s", "60s", "90s"].map(increases)
        }
      ]
      writeFileSync(file, JSON.stringify({ rule_files: [], evaluation_interval: "30s", tests }))
      const { status, stderr, stdout } = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" })
      expect({ status, said: `${stdout}${stderr}` }).toMatchObject({ status: 0 })
    }).pipe(Effect.provide(layer))
  )
})
