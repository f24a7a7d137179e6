import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Context, Effect } from "effect"
import { Column, Entity, type Repository } from "effect-framework/pagination"
import { SqlRepository } from "effect-framework/layers/pagination"
import { ListRoute } from "effect-framework/routes/pagination"
import { TestApp } from "effect-framework/testing"

const Cup = Entity.make("cups", { key: "id", columns: { id: Column.integer, name: Column.text } })
class Cups extends Context.Tag("shop/Cups")<Cups, Repository.For<typeof Cup>>() {}

const table = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`CREATE TABLE cups (id INTEGER PRIMARY KEY, name TEXT NOT NULL)`
)
const list = Effect.flatMap(Cups, (cups) => ListRoute.respond(cups))
const routes = [HttpLayerRouter.route("GET", "/cups", list)]
const options = { migrations: { "0001_cups": Effect.asVoid(table) }, services: SqlRepository.layer(Cups, Cup) }

layer(TestApp.layer(routes, options))("GET /cups", (it) => {
  it.effect("leads from each part to the next", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO cups (name) VALUES ('blue'), ('green'), ('red')`
      const guest = yield* TestApp.guest
      const first = yield* guest.json("GET", "/cups?limit=2&cursor=")
      expect(first.json).toMatchObject({ items: [{ name: "blue" }, { name: "green" }] })
      const [, next = ""] = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "") ?? []
      expect((yield* guest.json("GET", next)).json).toMatchObject({ items: [{ name: "red" }], next: null })
      expect((yield* guest.json("GET", "/cups?cursor=oops")).status).toBe(400)
    })
  )
})
