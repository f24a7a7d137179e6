import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import * as Transaction from "../../../layers/database/internal/Transaction.ts"
import { describeDatabases } from "../../support/Databases.ts"

const run = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Transaction.make(sql)(effect))

const add = (name: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO teas VALUES (${name})`)

const teas = Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ name: string }>`SELECT name FROM teas ORDER BY name`)

describeDatabases("a transaction", (database) => {
  layer(database.layerEmpty)((it) => {
    it.effect("keeps what succeeds, and nothing of what fails, whose error stays typed", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE teas (name TEXT PRIMARY KEY)`
        expect(yield* run(Effect.as(add("green"), 1))).toBe(1)
        expect(yield* Effect.flip(run(Effect.zipRight(add("black"), Effect.fail("cold"))))).toBe("cold")
        const defect = yield* Effect.exit(run(Effect.zipRight(add("white"), Effect.die("broken"))))
        expect(Exit.isFailure(defect) && Cause.isDie(defect.cause)).toBe(true)
        // Inside another one it is a savepoint.
        yield* run(Effect.zipRight(add("red"), Effect.ignore(run(Effect.zipRight(add("blue"), Effect.fail("cold"))))))
        expect(yield* teas).toEqual([{ name: "green" }, { name: "red" }])
      })
    )
  })
})
