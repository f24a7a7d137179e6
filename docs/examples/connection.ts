import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { DatabaseUrl } from "effect-framework/database"
import { Column, Connection, Entity } from "effect-framework/pagination"
import { Database } from "effect-framework/layers/database"
import { SqlRepository } from "effect-framework/layers/pagination"

const Cup = Entity.make("cups", { key: "id", columns: { id: Column.integer, name: Column.text } })

const program = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE cups (id INTEGER PRIMARY KEY, name TEXT NOT NULL)`
  yield* sql`INSERT INTO cups (name) VALUES ('blue'), ('green'), ('red')`
  const cups = yield* SqlRepository.make(Cup)
  const resolve = (given: Connection.Arguments) =>
    Connection.read(cups, given, { selection: cups.select.order("Desc", "id"), maxLimit: 50 })

  const { edges, pageInfo } = yield* resolve({ first: 2 })
  console.log(edges, pageInfo)
  const rest = yield* resolve({ first: 2, after: pageInfo.endCursor })
  console.log(
    rest.edges.map(({ node }) => node.name),
    rest.pageInfo.hasPreviousPage
  )
  const refused = yield* Effect.flip(resolve({ first: 2, last: 2 }))
  console.log(refused.message)
})

await Effect.runPromise(Effect.provide(program, Database.layer(DatabaseUrl.Sqlite({ path: "connection.sqlite" }))))
