// Accounts, metrics, error pages, and a page for signed-in users.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Console, Effect, Layer } from "effect"
import { ServerAddress, StartupError } from "effect-framework"
import { Identity } from "effect-framework/auth"
import { DefaultLayout } from "effect-framework/http"
import { RunMain } from "effect-framework/layers/errors"
import { AppConfig, AppLayer } from "effect-framework/layers/server"
import { Access, AuthRoutes } from "effect-framework/routes/auth"
import { Assets, Pipeline } from "effect-framework/routes/http"
import { Metrics, Telemetry } from "effect-framework/routes/observability"

const tea = Effect.map(Identity.CurrentIdentity, ({ email }) => HttpServerResponse.text(`Tea for ${email}`))

const pages = [...AuthRoutes.routes, HttpLayerRouter.route("GET", "/tea", Access.requireUser(tea))]
const machines = [...Metrics.routes, ...Assets.routes(DefaultLayout.assets)]
const app = Pipeline.app([...Pipeline.pages(pages), ...Pipeline.plain(machines)])

const program = Effect.gen(function* () {
  const settings = yield* AppConfig.config("teapots")
  const services = Layer.merge(Telemetry.layerBooted, DefaultLayout.layer({ name: "Teapots" }))
  const server = AppLayer.server(app, settings).pipe(Layer.provide(services), Layer.provide(AppLayer.layer(settings)))
  const ready = Effect.flatMap(ServerAddress.ServerAddress, ({ url }) => Console.log(`listening on ${url}`))
  return yield* Layer.launch(Layer.provide(Layer.effectDiscard(ready), server))
})

RunMain.runMain(program, { line: StartupError.line })
