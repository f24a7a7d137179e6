import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describeDatabases, TestDatabase } from "../../support/Databases.ts"
import { Prepared } from "../../../layers/database/Prepared.ts"

describeDatabases("Database", (database) => {
  layer(database.layer)((it) => {
    it.effect("smoke", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const prepared = yield* Prepared
        const { url } = yield* TestDatabase
        const read = prepared.one(
          sql<{ email: string; created_at: number }>`SELECT email, created_at FROM users WHERE id = ${""}`
        )
        expect((yield* read(["a"]))._tag).toBe("None")
        yield* sql`INSERT INTO users ${sql.insert({ id: "a", email: "a@b.c", password: "x", created_at: 5 })}`.pipe(
          Effect.provide(database.layerAt(url))
        )
        expect(yield* read(["a"])).toMatchObject({ value: { email: "a@b.c", created_at: 5 } })
      })
    )
  })
})
