// An Effect app with an API and a page. What fails in either is reported, and answered for its client and environment.
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpLayerRouter } from "@effect/platform"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Config, Console, Effect, Layer, Schema } from "effect"
import { Environment } from "effect-framework/config"
import { Reporters } from "effect-framework/errors"
import { FileErrorPages, FileSources, WorkerReporters } from "effect-framework/layers/errors"
import { TrustedProxies } from "effect-framework/layers/session"
import { ApiHandlers, Pipeline } from "effect-framework/routes/server"
import { createServer } from "node:http"

class SoldOut extends Schema.TaggedError<SoldOut>()("SoldOut", { cup: Schema.String }) {}

const order = HttpApiEndpoint.get("order", "/cups/:cup")
  .setPath(Schema.Struct({ cup: Schema.String }))
  .addSuccess(Schema.String)
  .addError(SoldOut, { status: 409 })

const Shop = HttpApi.make("shop").add(HttpApiGroup.make("cups").add(order))

const cups = HttpApiBuilder.group(Shop, "cups", (group) =>
  group.handle("order", ({ path: { cup } }) =>
    cup === "blue" ? new SoldOut({ cup }) : Effect.die(new Error(`No price for ${cup}`))
  )
)

const boil = HttpLayerRouter.route("GET", "/boil", Effect.die(new Error("The kettle is empty")))

const routes = HttpLayerRouter.addAll(Pipeline.mounted([...Pipeline.api(Shop), ...Pipeline.stateless([boil])]))

const printing = Reporters.layer(({ message }, { method, uri }) =>
  Console.log(`Reported: ${message} (${method} ${uri})`)
)

const errors = Layer.mergeAll(printing, FileErrorPages.layer("views/errors")).pipe(
  Layer.provideMerge(Layer.mergeAll(Environment.layer, WorkerReporters.layer, FileSources.layer, TrustedProxies.layer))
)

HttpLayerRouter.serve(routes, { disableLogger: true }).pipe(
  Layer.provide(Layer.provide(ApiHandlers.layer(Shop), cups)),
  Layer.provide(errors),
  Layer.provide(NodeHttpServer.layerConfig(createServer, { port: Config.integer("PORT") })),
  Layer.launch,
  NodeRuntime.runMain
)
