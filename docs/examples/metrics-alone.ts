// An Effect app with a counter of its own, and two routes beside its own: `/metrics` and `/health`.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Config, Context, Effect, Layer } from "effect"
import { FileFleet, NodeProcessInfo, WorkerObservability } from "effect-framework/layers/observability"
import { Counter, Observability } from "effect-framework/observability"
import { Health, Metrics } from "effect-framework/routes/observability"
import { createServer } from "node:http"

class Served extends Context.Tag("shop/Served")<Served, Counter.Counter>() {
  static readonly layer = Layer.effect(
    Served,
    Effect.gen(function* () {
      const { metrics } = yield* Observability.Observability
      const served = yield* Counter.make("cups_total", { help: "Cups of tea that were served" })
      yield* metrics.push(served)
      return served
    })
  )
}

const tea = Effect.map(Served, (served) => {
  served.increment()
  return HttpServerResponse.text("Tea")
})

const routes = Layer.merge(
  HttpLayerRouter.add("GET", "/tea", tea),
  HttpLayerRouter.addAll([...Health.live, ...Metrics.routes])
)

const measured = Layer.mergeAll(Served.layer, NodeProcessInfo.layer, FileFleet.layer({ directory: "metrics" })).pipe(
  Layer.provideMerge(WorkerObservability.layer)
)

HttpLayerRouter.serve(routes, { disableLogger: true }).pipe(
  Layer.provide(measured),
  Layer.provide(NodeHttpServer.layerConfig(createServer, { port: Config.integer("PORT") })),
  Layer.launch,
  NodeRuntime.runMain
)
