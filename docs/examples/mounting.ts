// An Effect app with a route and a database of its own, and accounts beside it on the same server.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { SqlClient } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Config, Effect, Layer } from "effect"
import { Identity } from "effect-framework/session"
import { DefaultLayout } from "effect-framework/http"
import { ConfiguredMailer } from "effect-framework/layers/mail"
import { Mount } from "effect-framework/layers/server"
import { Access, AuthRoutes } from "effect-framework/routes/auth"
import { Assets } from "effect-framework/routes/http"
import { Pipeline } from "effect-framework/routes/server"

// What was there before. It stays as it is.
const time = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ time: string }>`SELECT time('now') AS time`
  return HttpServerResponse.text(`It is ${row?.time}.`)
})

const existing = HttpLayerRouter.add("GET", "/time", time)

// What is new: the routes of authentication, and one that only a signed-in user may open.
const tea = Effect.map(Identity.CurrentIdentity, ({ email }) => HttpServerResponse.text(`Tea for ${email}`))

const pages = [...AuthRoutes.routes, HttpLayerRouter.route("GET", "/tea", Access.requireUser(tea))]

const mounted = HttpLayerRouter.addAll(
  Pipeline.mounted([...Pipeline.pages(pages), ...Pipeline.stateless(Assets.routes(DefaultLayout.assets))])
)

const database = SqliteClient.layer({ filename: "app.sqlite" })

const services = Layer.merge(ConfiguredMailer.layer, DefaultLayout.layer({ name: "Teapots" })).pipe(
  Layer.provideMerge(database)
)

// Mount.createServer in place of createServer: see "Early requests".
HttpLayerRouter.serve(Layer.merge(existing, mounted), { disableLogger: true }).pipe(
  Layer.provide(Mount.layer()),
  Layer.provide(services),
  Layer.provide(NodeHttpServer.layerConfig(Mount.createServer, { port: Config.integer("PORT") })),
  Layer.launch,
  NodeRuntime.runMain
)
