// Accounts, metrics, error pages, and a page for signed-in users.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Identity } from "effect-framework/auth"
import { DefaultLayout } from "effect-framework/http"
import { RunMain } from "effect-framework/layers/errors"
import { AppConfig, AppLayer } from "effect-framework/layers/server"
import { Access, AuthRoutes } from "effect-framework/routes/auth"
import { Assets, Pipeline } from "effect-framework/routes/http"
import { Metrics, Telemetry } from "effect-framework/routes/observability"

const tea = Effect.map(Identity.CurrentIdentity, ({ email }) => HttpServerResponse.text(`Tea for ${email}`))

const pages = [...AuthRoutes.routes, HttpLayerRouter.route("GET", "/tea", Access.requireUser(tea))]
const assets = Assets.routes(DefaultLayout.assets)
const app = Pipeline.app([...Pipeline.pages(pages), ...Pipeline.plain([...Metrics.routes, ...assets])])

const program = Effect.gen(function* () {
  const settings = yield* AppConfig.config("teapots")
  const services = Layer.merge(Telemetry.layerBooted, DefaultLayout.layer({ name: "Teapots" }))
  const server = AppLayer.server(app, settings).pipe(Layer.provide(services), Layer.provide(AppLayer.layer(settings)))
  return yield* Layer.launch(Layer.provide(AppLayer.announce, server))
})

RunMain.runMain(program)
