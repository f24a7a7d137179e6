// A server that measures its requests, its process, and one number of its own.
import { HttpLayerRouter } from "@effect/platform"
import { NodeRuntime } from "@effect/platform-node"
import { Config, Console, Context, Effect, Layer } from "effect"
import { Environment } from "effect-framework/config"
import { ErrorPages, Reporters, Sources } from "effect-framework/errors"
import { Counter, Observability, RequestEvents } from "effect-framework/observability"
import { ServerAddress } from "effect-framework/server"
import { TrustedProxies } from "effect-framework/layers/session"
import { FileFleet, NodeProcessInfo, WorkerObservability } from "effect-framework/layers/observability"
import { Sockets, WebServer } from "effect-framework/layers/server"
import { Respond } from "effect-framework/routes/session"
import { Pipeline } from "effect-framework/routes/server"
import { Health, Metrics, Telemetry } from "effect-framework/routes/observability"

class Cups extends Context.Tag("shop/Cups")<Cups, Counter.Counter>() {
  static readonly layer = Layer.effect(
    Cups,
    Effect.gen(function* () {
      const { metrics } = yield* Observability.Observability
      const cups = yield* Counter.make("cups_total", { help: "Cups of tea that were served" })
      yield* metrics.push(cups)
      return cups
    })
  )
}

const tea = Effect.map(Cups, (cups) => {
  cups.increment()
  return Respond.text("Tea")
})
const routes = [HttpLayerRouter.route("GET", "/tea", tea), ...Health.live, ...Metrics.routes]

const measured = Layer.mergeAll(Telemetry.layer, NodeProcessInfo.layer, Cups.layer).pipe(
  Layer.provideMerge(FileFleet.layer({ directory: "storage/metrics" })),
  Layer.provideMerge(WorkerObservability.layer),
  Layer.provideMerge(Layer.mergeAll(RequestEvents.layer, Sockets.layer))
)

const failing = Layer.mergeAll(Environment.layer, Reporters.layerNone, Sources.layerNone, ErrorPages.layerNone)

const server = (port: number) =>
  WebServer.layer(Pipeline.app(Pipeline.stateless(routes)), { host: "127.0.0.1", port, probe: "/livez" })
const ready = Layer.effectDiscard(
  Effect.flatMap(ServerAddress.ServerAddress, ({ url }) => Console.log(`Listening on ${url}`))
)

ready.pipe(
  Layer.provide(Layer.unwrapEffect(Effect.map(Config.integer("PORT"), server))),
  Layer.provide(Layer.mergeAll(measured, failing, TrustedProxies.layer)),
  Layer.launch,
  NodeRuntime.runMain
)
