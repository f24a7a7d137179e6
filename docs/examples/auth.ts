// Accounts in an existing Effect HTTP app, with its own layout and mailer.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Config, Console, Effect, Layer, Redacted } from "effect"
import { Identity } from "effect-framework/session"
import { Html, Layout } from "effect-framework/http"
import { Database } from "effect-framework/layers/database"
import { Mount } from "effect-framework/layers/server"
import { Mailer, type MailMessage } from "effect-framework/mail"
import { Access, AuthRoutes } from "effect-framework/routes/auth"
import { Pipeline } from "effect-framework/routes/server"

const { html } = Html

const layout = Layer.succeed(Layout.Layout, {
  page: ({ main, notices = [], title }) =>
    html`<!doctype html><title>${title} | Teapots</title>${notices.map(({ text }) => html`<p>${text}</p>`)}${main}`
})

const print = (message: MailMessage.MailMessage) =>
  Console.log(`To ${message.to}
${Redacted.value(message.text)}`)
const mailer = Layer.succeed(Mailer.Mailer, Mailer.fromSend(print))

const tea = Effect.map(Identity.CurrentIdentity, ({ email }) => HttpServerResponse.text(`Tea for ${email}`))
const own = [HttpLayerRouter.route("GET", "/tea", Access.requireUser(tea))]
const routes = HttpLayerRouter.addAll(Pipeline.mounted(Pipeline.pages([...AuthRoutes.routes, ...own])))

const services = Layer.mergeAll(Database.layerConfig, layout, mailer)

// The stock logger writes whole URLs, and some of ours are secrets.
HttpLayerRouter.serve(routes, { disableLogger: true }).pipe(
  Layer.provide(Mount.layer()),
  Layer.provide(services),
  Layer.provide(NodeHttpServer.layerConfig(Mount.createServer, { port: Config.integer("PORT") })),
  Layer.launch,
  NodeRuntime.runMain
)
