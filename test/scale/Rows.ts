// Statements on a database of the site, past PgBouncer and the programs.
import { SqlClient } from "@effect/sql"
import { Effect, Redacted } from "effect"
import * as PostgresDatabase from "../../layers/database/internal/PostgresDatabase.ts"

/** The rows of one statement, on a connection of its own. */
export const rows = <Row extends object>(url: string, text: string): Effect.Effect<ReadonlyArray<Row>> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Row>(text)).pipe(
    Effect.provide(PostgresDatabase.layer(Redacted.make(url), { maxConnections: 1 })),
    Effect.orDie
  )

/** The one number that a statement gives. */
export const count = (url: string, text: string): Effect.Effect<number> =>
  Effect.map(rows<{ readonly count: number }>(url, text), ([row]) => row?.count ?? 0)
