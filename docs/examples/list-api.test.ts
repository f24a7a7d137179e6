import { FetchHttpClient, HttpApi, HttpApiClient, HttpApiGroup } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Chunk, Context, Effect, Layer, Stream } from "effect"
import { Column, Entity, ListQuery, ListClient, type Repository } from "effect-framework/pagination"
import { ServerAddress } from "effect-framework/server"
import { SqlRepository } from "effect-framework/layers/pagination"
import { ApiHandlers, Pipeline } from "effect-framework/routes/server"
import { ListEndpoint } from "effect-framework/routes/pagination"
import { TestApp } from "effect-framework/testing"

// The contract, which the client shares.
const Cup = Entity.make("cups", { key: "id", columns: { id: Column.integer, name: Column.text } })
const parameters = ListQuery.make(Cup, { sort: ["name", "id"], search: { columns: ["name"] } })
const cups = ListEndpoint.make("list", "/cups", { item: Cup.schema, parameters, bidirectional: true })
const CupsApi = HttpApi.make("cups").add(HttpApiGroup.make("cups").add(cups.endpoint)).prefix("/api")

// The server.
class Cups extends Context.Tag("shop/Cups")<Cups, Repository.For<typeof Cup>>() {}

const handlers = ApiHandlers.group(CupsApi, "cups", (group) =>
  Effect.map(Cups, (repository) => group.handle("list", ({ request }) => cups.respond(repository, request)))
)

const table = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE cups (id INTEGER PRIMARY KEY, name TEXT NOT NULL)`
  yield* sql`INSERT INTO cups (name) VALUES ('red'), ('blue'), ('green')`
})

const services = ApiHandlers.layer(CupsApi).pipe(Layer.provide(handlers), Layer.provide(SqlRepository.layer(Cups, Cup)))
const app = Pipeline.app(Pipeline.api(CupsApi))

layer(TestApp.layerOf(app, { migrations: { "0001_cups": table }, services }))("the cups", (it) => {
  it.effect("are read by a client that is derived from the contract", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress.ServerAddress
      const client = yield* HttpApiClient.make(CupsApi, { baseUrl: url })

      const page = yield* client.cups.list({ urlParams: { sort: "-name", limit: 2 } })
      expect(page).toMatchObject({ items: [{ name: "red" }, { name: "green" }], total: 3 })

      const names = Stream.map(
        ListClient.stream((urlParams) => client.cups.list({ urlParams }), { limit: 2 }),
        ({ name }) => name
      )
      expect(Chunk.toReadonlyArray(yield* Stream.runCollect(names))).toEqual(["blue", "green", "red"])

      const refused = yield* Effect.flip(client.cups.list({ urlParams: { cursor: "oops" } }))
      expect(refused._tag).toBe("InvalidCursor")
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})
