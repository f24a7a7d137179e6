import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as AccountRows from "../../../layers/auth/internal/AccountRows.ts"
import { AccountId } from "../../../src/session/Identity.ts"
import { describeDatabases } from "../../support/Databases.ts"

describeDatabases("The rows of an account", (database) => {
  layer(database.layerEmpty)((it) => {
    it.effect("are deleted and counted, all of them or some, and no others", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE kept (user_id TEXT NOT NULL, purpose TEXT NOT NULL)`
        yield* sql`INSERT INTO kept VALUES ('a', 'x'), ('a', 'y'), ('a', 'y'), ('b', 'y')`
        const remove = (user: string, purpose?: string) =>
          AccountRows.remove(
            sql,
            "kept",
            AccountId.make(user),
            purpose === undefined ? undefined : sql`purpose = ${purpose}`
          )
        expect(yield* remove("a", "y")).toBe(2)
        expect(yield* remove("a")).toBe(1)
        expect(yield* remove("a")).toBe(0)
        expect(yield* sql`SELECT * FROM kept`).toEqual([{ user_id: "b", purpose: "y" }])
      })
    )
  })
})
