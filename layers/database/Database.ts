// The one database of a program, on the engine that `DATABASE_URL` names.
import type { SqlClient } from "@effect/sql"
import { type ConfigError, Effect, Layer, Match } from "effect"
import * as DatabaseConfig from "../../src/database/internal/DatabaseConfig.ts"
import type { DatabaseUnavailable } from "../../src/database/internal/DatabaseUnavailable.ts"
import type { DatabaseUrl } from "../../src/database/DatabaseUrl.ts"
import * as PostgresDatabase from "./internal/PostgresDatabase.ts"

export type { DatabaseUnavailable } from "../../src/database/internal/DatabaseUnavailable.ts"

/** The database in this file; a relative path belongs to the working directory. */
const sqlite = (path: string): Layer.Layer<SqlClient.SqlClient, DatabaseUnavailable> =>
  Layer.unwrapEffect(
    // The driver is native: a program on PostgreSQL does not load it.
    Effect.map(
      Effect.promise(() => import("./internal/SqliteConnection.ts")),
      (connection) => connection.layer(path)
    )
  )

/** The bounds of a PostgreSQL server. */
export interface Options {
  /** Seconds that a statement may take on PostgreSQL; 0 for no bound. SQLite runs in the process itself. */
  readonly statementTimeout: number
  /** Connections of one worker to PostgreSQL; 10. Workers times this stays below the server's own limit of 100. */
  readonly maxConnections: number
  /** Milliseconds for a new connection as well as for a free one of a busy pool; 5000. */
  readonly connectTimeout: number
}

/**
 * The database at this address.
 *
 * @example
 * ```ts
 * import { Config, Effect, Layer } from "effect"
 * import { DatabaseUrl } from "effect-framework/database"
 * import { Database } from "effect-framework/layers/database"
 *
 * // A copy of the database for long reports, beside the one that `DATABASE_URL` names.
 * export const reports = Layer.unwrapEffect(
 *   Effect.map(Config.redacted("REPORTS_URL"), (url) =>
 *     Database.layer(DatabaseUrl.Postgres({ url }), { maxConnections: 2, statementTimeout: 600 })
 *   )
 * )
 * ```
 */
export const layer = (
  url: DatabaseUrl,
  { statementTimeout = DatabaseConfig.defaultStatementTimeout, ...options }: Partial<Options> = {}
): Layer.Layer<SqlClient.SqlClient, DatabaseUnavailable> =>
  Match.valueTags(url, {
    Sqlite: ({ path }) => sqlite(path),
    Postgres: ({ url }) => PostgresDatabase.layer(url, { ...options, statementTimeout: 1000 * statementTimeout })
  })

/** The database that the environment names. */
export const layerConfig: Layer.Layer<SqlClient.SqlClient, DatabaseUnavailable | ConfigError.ConfigError> =
  Layer.unwrapEffect(
    Effect.map(Effect.all([DatabaseConfig.url, DatabaseConfig.statementTimeout]), ([url, statementTimeout]) =>
      layer(url, { statementTimeout })
    )
  )
