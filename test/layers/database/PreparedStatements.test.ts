import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Option } from "effect"
import { orPlain, PreparedStatements, reader } from "../../../layers/database/PreparedStatements.ts"
import { describeDatabases } from "../../support/Databases.ts"

describeDatabases("PreparedStatements", (database) => {
  layer(database.layer)((it) => {
    it.effect("come with the database layer", () =>
      Effect.gen(function* () {
        expect(Option.getOrThrow(yield* Effect.serviceOption(PreparedStatements))).toBe(yield* orPlain)
      })
    )

    it.effect("are plain queries on a client alone", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const prepared = yield* Effect.mapInputContext(orPlain, (context: Context.Context<SqlClient.SqlClient>) =>
          Context.make(SqlClient.SqlClient, Context.get(context, SqlClient.SqlClient))
        )
        expect(prepared.commits).toBeUndefined()
        const read = prepared.one(
          sql<{ email: string }>`SELECT email FROM users WHERE id = ${""} AND created_at > ${0}`
        )
        expect(yield* read(["alone", 0])).toEqual(Option.none())
        yield* sql`INSERT INTO users ${sql.insert({ id: "alone", email: "a@example.com", password: "", created_at: 5 })}`
        expect(yield* read(["alone", 0])).toEqual(Option.some({ email: "a@example.com" }))
        expect(yield* read(["alone", 5])).toEqual(Option.none())
      })
    )

    it.effect("give all rows in their order", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { all } = yield* orPlain
        const read = all(sql<{ id: string; created_at: number }>`SELECT id, created_at FROM users
          WHERE id LIKE ${""} AND created_at > ${0} ORDER BY id DESC`)
        expect(yield* read(["all-%", 0])).toEqual([])
        const users = [1, 2, 3].map((at) => ({
          id: `all-${at}`,
          email: `all-${at}@example.com`,
          password: "",
          created_at: at
        }))
        yield* sql`INSERT INTO users ${sql.insert(users)}`
        expect(yield* read(["all-%", 1])).toEqual([
          { id: "all-3", created_at: 3 },
          { id: "all-2", created_at: 2 }
        ])
      })
    )

    it.effect("a reader sees what its own transaction has written, and nobody else does", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const find = reader(
          yield* orPlain,
          (id: string) => sql<{ email: string }>`SELECT email FROM users WHERE id = ${id}`,
          [""]
        )
        yield* sql
          .withTransaction(
            Effect.gen(function* () {
              yield* sql`INSERT INTO users ${sql.insert({ id: "own", email: "own@example.com", password: "", created_at: 1 })}`
              expect(yield* find("own")).toEqual([{ email: "own@example.com" }])
              return yield* Effect.fail("rolled back")
            })
          )
          .pipe(Effect.flip)
        expect(yield* find("own")).toEqual([])
      })
    )
  })
})
