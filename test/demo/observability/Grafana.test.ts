import { expect, it, describe } from "@effect/vitest"
import { Cause, Effect, Layer } from "effect"
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Logins from "../../../demo/observability/Logins.ts"
import * as CounterReporter from "../../../layers/errors/CounterReporter.ts"
import * as WorkerReporters from "../../../layers/errors/WorkerReporters.ts"
import * as SocketCounters from "../../../layers/observability/SocketCounters.ts"
import * as WorkerObservability from "../../../layers/observability/WorkerObservability.ts"
import * as Sockets from "../../../layers/server/Sockets.ts"
import * as Telemetry from "../../../routes/observability/Telemetry.ts"
import { Reporters } from "../../../src/errors/Reporters.ts"
import { conflictsTotal } from "../../../src/observability/InstrumentRules.ts"
import { Observability } from "../../../src/observability/Observability.ts"
import * as RequestEvents from "../../../src/observability/RequestEvents.ts"
import * as Demo from "../../support/Demo.ts"
import * as PrometheusServer from "./PrometheusServer.ts"

interface Panel {
  readonly title: string
  readonly targets: ReadonlyArray<{ readonly expr: string }>
}

const dashboard: { readonly panels: ReadonlyArray<Panel> } = JSON.parse(
  readFileSync(join(Demo.root, "docs", "grafana.json"), "utf8")
)

const queries = dashboard.panels.flatMap(({ targets, title }) => targets.map(({ expr }) => ({ title, expr })))

/** Every name that the demo's workers print. */
const names = Effect.gen(function* () {
  const reporters = yield* Reporters
  yield* reporters.notify(Cause.die(new Error("counted")))
  const { gather } = yield* Observability
  return [...(yield* gather).metrics.keys(), conflictsTotal]
}).pipe(
  Effect.provide(
    Layer.mergeAll(Telemetry.layerBooted, SocketCounters.layer, Logins.layer, CounterReporter.layer).pipe(
      Layer.provideMerge(Layer.mergeAll(WorkerObservability.layer, WorkerReporters.layer)),
      Layer.provideMerge(Layer.merge(RequestEvents.layer, Sockets.layer))
    )
  )
)

describe("docs/grafana.json", () => {
  it.scopedLive("queries only what the demo measures", () =>
    Effect.gen(function* () {
      const known = new Set([...(yield* names), "up"])
      for (const { expr, title } of queries) {
        const queried = [...expr.matchAll(/([a-z_:]+)\{job="\$job"/g)].map(([, name = ""]) =>
          name.replace(/_bucket$/, "")
        )
        expect(queried, title).not.toEqual([])
        for (const name of queried) expect(known, title).toContain(name)
      }
    })
  )
})

PrometheusServer.describeWith("promtool", "the queries of docs/grafana.json", () => {
  it.scopedLive("are understood by Prometheus", () =>
    Effect.gen(function* () {
      const rules = queries.map(({ expr }, index) => ({
        record: `panel:${index}`,
        expr: expr.replaceAll("$__rate_interval", "1m").replaceAll("$job", "demo")
      }))
      const file = join(yield* Demo.folder, "rules.yml")
      // JSON is YAML.
      writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules }] }))
      const { status, stderr } = spawnSync("promtool", ["check", "rules", file], { encoding: "utf8" })
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    })
  )
})

PrometheusServer.describeWith("promtool", "the configuration in docs/examples", () => {
  it.each([
    ["config", "prometheus.yml"],
    ["rules", "alerts.yml"]
  ])("is understood by Prometheus: %s", (kind, name) => {
    const file = join(Demo.root, "docs", "examples", name)
    const { status, stderr } = spawnSync("promtool", ["check", kind, file], { encoding: "utf8" })
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  })
})
