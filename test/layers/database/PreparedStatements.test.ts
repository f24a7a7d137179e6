import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Option } from "effect"
import { orPlain, PreparedStatements } from "../../../layers/database/PreparedStatements.ts"
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
  })
})
