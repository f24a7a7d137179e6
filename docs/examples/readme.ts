// Accounts, metrics, error pages, and a page for signed-in users.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Identity } from "effect-framework/auth"
import { Cli } from "effect-framework"
import { DefaultLayout } from "effect-framework/http"
import { type AppConfig, AppLayer } from "effect-framework/layers/server"
import { Access, AuthRoutes } from "effect-framework/routes/auth"
import { Assets, Pipeline } from "effect-framework/routes/http"
import { Metrics, Telemetry } from "effect-framework/routes/observability"

const tea = Effect.map(Identity.CurrentIdentity, ({ email }) => HttpServerResponse.text(`Tea for ${email}`))

const pages = [...AuthRoutes.routes, HttpLayerRouter.route("GET", "/tea", Access.requireUser(tea))]
const assets = Assets.routes(DefaultLayout.assets)
const app = Pipeline.app([...Pipeline.pages(pages), ...Pipeline.plain([...Metrics.routes, ...assets])])

const services = Layer.merge(Telemetry.layerBooted, DefaultLayout.layer({ name: "Teapots" }))
const layer = (settings: AppConfig.AppConfig) =>
  AppLayer.server(app, settings).pipe(Layer.provide(services), Layer.provide(AppLayer.layer(settings)))

Cli.run({ name: "teapots", app: async () => ({ layer }) })
