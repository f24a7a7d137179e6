import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describeDatabases } from "./Databases.ts"
import { explain } from "./Plans.ts"

describeDatabases("explain", (database) => {
  layer(database.layer)((it) => {
    it.effect("calls a lookup by key, by index and a delete of expired rows an index search", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (const statement of [
          sql`SELECT data FROM sessions WHERE key = ${"a"}`,
          sql`SELECT key FROM sessions WHERE user_id = ${"a"}`,
          sql`DELETE FROM tokens WHERE expires <= ${5} RETURNING selector`,
          sql`SELECT key FROM sessions WHERE user_id = ${"a"} UNION ALL SELECT selector FROM trusts WHERE user_id = ${"a"}`
        ]) {
          const plan = yield* explain(statement)
          expect(plan.isIndexSearch, plan.text).toBe(true)
        }
      })
    )

    it.effect("calls reading a whole table or a whole index none", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (const statement of [
          sql`SELECT data FROM sessions WHERE data = ${"a"}`,
          sql`SELECT expires FROM sessions ORDER BY expires`,
          sql`SELECT s.data FROM sessions s JOIN users u ON u.id = s.user_id`
        ]) {
          const plan = yield* explain(statement)
          expect(plan.isIndexSearch, plan.text).toBe(false)
        }
      })
    )

    it.effect("sees a sort that no index spares", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const sorted = yield* explain(sql`SELECT key FROM sessions WHERE user_id = ${"a"} ORDER BY peer`)
        const ordered = yield* explain(sql`SELECT expires FROM sessions WHERE expires > ${5} ORDER BY expires`)
        expect([sorted.sorts, ordered.sorts], `${sorted.text}\n${ordered.text}`).toEqual([true, false])
      })
    )
  })
})
