// An Effect app with a database of its own, and two lists of its rows: a route, and an endpoint of an API.
import { HttpApi, HttpApiBuilder, HttpApiGroup, HttpLayerRouter } from "@effect/platform"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { SqlClient } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Config, Context, Effect, Layer } from "effect"
import { SqlRepository } from "effect-framework/layers/pagination"
import { Column, Entity, ListQuery, type Repository } from "effect-framework/pagination"
import { ListEndpoint, ListRoute } from "effect-framework/routes/pagination"
import { createServer } from "node:http"

const Cup = Entity.make("cups", { key: "id", columns: { id: Column.integer, name: Column.text } })

class Cups extends Context.Tag("shop/Cups")<Cups, Repository.For<typeof Cup>>() {}

const route = HttpLayerRouter.add(
  "GET",
  "/cups",
  Effect.flatMap(Cups, (cups) => ListRoute.respond(cups, cups.select.order("Asc", "name")))
)

const parameters = ListQuery.make(Cup, { sort: ["name", "id"] })
const list = ListEndpoint.make("list", "/api/cups", { item: Cup.schema, parameters })
const Shop = HttpApi.make("shop").add(HttpApiGroup.make("cups").add(list.endpoint))

const handlers = HttpApiBuilder.group(Shop, "cups", (group) =>
  Effect.map(Cups, (cups) => group.handle("list", ({ request }) => list.respond(cups, request)))
)

const api = Layer.provide(HttpLayerRouter.addHttpApi(Shop), handlers)

const table = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE cups (id INTEGER PRIMARY KEY, name TEXT NOT NULL)`
    yield* sql`INSERT INTO cups (name) VALUES ('red'), ('green'), ('blue')`
  })
)

const database = Layer.provideMerge(table, SqliteClient.layer({ filename: "cups.sqlite" }))

HttpLayerRouter.serve(Layer.merge(route, api), { disableLogger: true }).pipe(
  Layer.provide(SqlRepository.layer(Cups, Cup)),
  Layer.provide(database),
  Layer.provide(NodeHttpServer.layerConfig(createServer, { port: Config.integer("PORT") })),
  Layer.launch,
  NodeRuntime.runMain
)
