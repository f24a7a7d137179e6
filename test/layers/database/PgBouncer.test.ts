// The database layer behind a real PgBouncer in transaction mode.
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Effect, Logger, Option } from "effect"
import * as PostgresDatabase from "../../../layers/database/internal/PostgresDatabase.ts"
import { orPlain } from "../../../layers/database/internal/PreparedStatements.ts"
import { postgres } from "../../support/Databases.ts"
import { describeDaemons } from "../../support/Haproxy.ts"
import { single, through } from "../../support/Pooler.ts"

describeDaemons(["pgbouncer"], "Behind PgBouncer in transaction mode", () => {
  it.scopedLive("hot reads of many connections share one connection of the server", () =>
    Effect.gen(function* () {
      const url = yield* through(single)
      const found = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const prepared = yield* orPlain
        const read = prepared.one(sql<{ one: number }>`SELECT 1 AS one WHERE 'x' = ${""}`)
        const reads = Array.from({ length: 20 }, () => read(["x"]))
        return yield* Effect.all(reads, { concurrency: "unbounded" })
      }).pipe(Effect.provide(PostgresDatabase.layer(url, { maxConnections: 5 })))
      expect(found).toEqual(found.map(() => Option.some({ one: 1 })))
    }).pipe(Effect.provide(postgres.layerEmpty))
  )

  it.scopedLive("a transaction stays on its connection, and its settings leave with it", () =>
    Effect.gen(function* () {
      const url = yield* through(single)
      const shown = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const inside = yield* sql.withTransaction(
          Effect.zipRight(sql`SET LOCAL statement_timeout = '7s'`, sql`SHOW statement_timeout`)
        )
        return [inside, yield* sql`SHOW statement_timeout`]
      }).pipe(Effect.provide(PostgresDatabase.layer(url)))
      expect(shown).toEqual([[{ statement_timeout: "7s" }], [{ statement_timeout: "0" }]])
    }).pipe(Effect.provide(postgres.layerEmpty))
  )

  it.scopedLive("says what PgBouncer needs when it refuses the bound of a statement", () =>
    Effect.gen(function* () {
      const url = yield* through((text) => text.replace(/^ignore_startup_parameters = .*$/m, ""))
      const refused = yield* Effect.flip(Effect.provide(SqlClient.SqlClient, PostgresDatabase.layer(url)))
      expect(refused.reason).toBe(
        "unsupported startup parameter: statement_timeout; PgBouncer needs ignore_startup_parameters = statement_timeout"
      )
      expect(
        yield* Effect.exit(Effect.provide(SqlClient.SqlClient, PostgresDatabase.layer(url, { statementTimeout: 0 })))
      ).toMatchObject({ _tag: "Success" })
    }).pipe(Effect.provide(postgres.layerEmpty))
  )

  it.scopedLive("warns when nobody bounds a statement", () =>
    Effect.gen(function* () {
      const url = yield* through()
      const lines: Array<unknown> = []
      const logger = Logger.replace(
        Logger.defaultLogger,
        Logger.make(({ message }) => void lines.push(message))
      )
      const open = SqlClient.SqlClient.pipe(Effect.provide(PostgresDatabase.layer(url)), Effect.provide(logger))
      yield* open
      expect(String(lines)).toContain("ALTER ROLE … SET statement_timeout = '30s'")
    }).pipe(Effect.provide(postgres.layerEmpty))
  )
})
