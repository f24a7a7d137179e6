import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Schema } from "effect"
import { DatabaseUrl } from "effect-framework/database"
import { Column, Entity, ListQuery, Relation, type Repository } from "effect-framework/pagination"
import { Database } from "effect-framework/layers/database"
import { IndexCheck, SqlRepository } from "effect-framework/layers/pagination"
import { ListRoute } from "effect-framework/routes/pagination"

const Cup = Entity.make("cups", {
  key: "id",
  columns: { id: Column.integer, name: Column.text, stars: Column.integer }
})
const Label = Entity.make("labels", {
  key: "id",
  columns: { id: Column.integer, cup_id: Column.integer, text: Column.text }
})
const labels = Relation.many(Label, "cup_id")
class Cups extends Context.Tag("shop/Cups")<Cups, Repository.For<typeof Cup>>() {}

const parameters = ListQuery.make(Cup, {
  sort: ["name", ["-stars", "name"]],
  filters: { min: { column: "stars", operator: "greaterOrEqual" } },
  conditions: {
    label: {
      schema: Schema.NonEmptyString,
      where: (text, cups) => cups.exists(labels, (label) => label.filter("text", "equal", text))
    }
  },
  search: { columns: ["name"] }
})

const routes = HttpLayerRouter.addAll([
  HttpLayerRouter.route(
    "GET",
    "/cups",
    Effect.flatMap(Cups, (cups) => ListRoute.respond(cups, cups.select, { parameters }))
  )
])

const filled = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE cups (id INTEGER PRIMARY KEY, name TEXT NOT NULL, stars INTEGER NOT NULL)`
    yield* sql`CREATE TABLE labels (id INTEGER PRIMARY KEY, cup_id INTEGER NOT NULL, text TEXT NOT NULL)`
    yield* sql`CREATE INDEX cups_name ON cups (name, id)`
    yield* sql`INSERT INTO cups VALUES (1, 'green', 3), (2, 'blue', 5), (3, 'red', 5)`
    yield* sql`INSERT INTO labels VALUES (1, 2, 'new'), (2, 1, 'new')`
  })
)

const program = Effect.gen(function* () {
  const cups = yield* Effect.context<Cups>()
  const { dispose, handler } = HttpLayerRouter.toWebHandler(routes, { disableLogger: true })
  const get = (url: string) => Effect.promise(() => handler(new Request(`http://localhost${url}`), cups))

  const best = yield* get("/cups?sort=-stars,name&min=4&limit=1")
  console.log(best.headers.get("link"))
  console.log(yield* Effect.promise(() => best.text()))
  const labelled = yield* get("/cups?label=new&q=gre")
  console.log(yield* Effect.promise(() => labelled.text()))
  const refused = yield* get("/cups?min=many")
  console.log(refused.status, yield* Effect.promise(() => refused.text()))

  console.log(yield* IndexCheck.run(...parameters.lists()))
  console.log(parameters.openApi[1])
  yield* Effect.promise(dispose)
})

const database = Layer.provideMerge(filled, Database.layer(DatabaseUrl.Sqlite({ path: "parameters.sqlite" })))
await Effect.runPromise(Effect.provide(program, Layer.provideMerge(SqlRepository.layer(Cups, Cup), database)))
