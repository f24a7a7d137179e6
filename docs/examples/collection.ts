import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Schema } from "effect"
import { DatabaseUrl } from "effect-framework/database"
import { Entity, ListBody, type Repository } from "effect-framework/pagination"
import { Database } from "effect-framework/layers/database"
import { SqlRepository } from "effect-framework/layers/pagination"
import { ListRoute } from "effect-framework/routes/pagination"

const CupId = Schema.Int.pipe(Schema.brand("CupId"))
const Cup = Entity.fromSchema("cups", {
  key: "id",
  schema: Schema.Struct({ id: CupId, name: Schema.NonEmptyString })
})
class Cups extends Context.Tag("shop/Cups")<Cups, Repository.For<typeof Cup>>() {}

const routes = HttpLayerRouter.addAll([
  HttpLayerRouter.route(
    "GET",
    "/cups",
    Effect.flatMap(Cups, (cups) => ListRoute.respond(cups))
  )
])

const filled = Layer.effectDiscard(
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.zipRight(
      sql`CREATE TABLE cups (id INTEGER PRIMARY KEY, name TEXT NOT NULL)`,
      sql`INSERT INTO cups (name) VALUES ('blue'), ('green'), ('red')`
    )
  )
)

const program = Effect.gen(function* () {
  const cups = yield* Effect.context<Cups>()
  const { dispose, handler } = HttpLayerRouter.toWebHandler(routes, { disableLogger: true })
  const get = (url: string) => Effect.promise(() => handler(new Request(`http://localhost${url}`), cups))

  const page = yield* get("/cups?limit=2&color=any")
  console.log(page.headers.get("x-total-count"), page.headers.get("link"))
  console.log(yield* Effect.promise(() => page.text()))

  const first = yield* get("/cups?limit=2&cursor=")
  const body = yield* Effect.promise((): Promise<unknown> => first.json())
  console.log((yield* Schema.decodeUnknown(ListBody.CursorPage(Cup.schema))(body)).next)

  const refused = yield* get("/cups?cursor=oops")
  console.log(refused.status, yield* Effect.promise(() => refused.text()))
  yield* Effect.promise(dispose)
})

const database = Layer.provideMerge(filled, Database.layer(DatabaseUrl.Sqlite({ path: "cups.sqlite" })))
await Effect.runPromise(Effect.provide(program, Layer.provideMerge(SqlRepository.layer(Cups, Cup), database)))
