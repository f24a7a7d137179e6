// An Effect HTTP app of someone else, with our accounts, its own layout and its own mailer.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Config, Console, Effect, Layer, Redacted } from "effect"
import * as Layers from "effect-framework/layers"
import { Access, AuthRoutes, Pipeline } from "effect-framework/routes"
import * as Framework from "effect-framework"

const { html } = Framework.Html

const layout = Layer.succeed(Framework.Layout.Layout, {
  page: ({ main, notices = [], title }) =>
    html`<!doctype html><title>${title} | Teapots</title>${notices.map(({ text }) => html`<p>${text}</p>`)}${main}`
})

const { direct, Mailer } = Framework.Mailer
const print = (letter: Framework.Letter.Letter) => Console.log(`To ${letter.to}\n${Redacted.value(letter.text)}`)
const mailer = Layer.succeed(Mailer, direct(print))

const tea = Effect.map(Framework.Identity.CurrentIdentity, ({ email }) => HttpServerResponse.text(`Tea for ${email}`))
const own = [HttpLayerRouter.route("GET", "/tea", Access.membersOnly(tea))]
const routes = HttpLayerRouter.addAll(Pipeline.mounted(Pipeline.pages([...AuthRoutes.routes, ...own])))

const { AuthSettings, Environment, Reporters, Sources, Views } = Framework
const services = Layers.LiveAfterwards.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(Layers.SqlAuthentication.layer, layout, mailer, Layers.LiveExchanges.layer)),
  Layer.provideMerge(Layer.mergeAll(AuthSettings.layer, Environment.layer, Reporters.layerNone, Sources.layerNone)),
  Layer.provideMerge(Layer.mergeAll(Views.layerNone, Layers.Migrations.layer)),
  Layer.provideMerge(Layers.Database.layerConfig)
)

// The stock logger writes whole URLs, and some of ours are secrets.
HttpLayerRouter.serve(routes, { disableLogger: true }).pipe(
  Layer.provide(services),
  Layer.provide(NodeHttpServer.layerConfig(Layers.MountServer.create, { port: Config.integer("PORT") })),
  Layer.launch,
  NodeRuntime.runMain
)
