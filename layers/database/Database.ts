// The one database of a program, on the engine that `DATABASE_URL` names.
import type { SqlClient } from "@effect/sql"
import { type ConfigError, Effect, Layer, Match } from "effect"
import * as DatabaseConfig from "../../src/database/internal/DatabaseConfig.ts"
import type { DatabaseUnavailable } from "../../src/database/DatabaseUnavailable.ts"
import type { DatabaseUrl } from "../../src/database/DatabaseUrl.ts"
import * as PostgresDatabase from "./PostgresDatabase.ts"
import * as SqliteDatabase from "./SqliteDatabase.ts"

interface Options {
  /** Seconds that a statement may take on PostgreSQL; 0 for no bound. SQLite runs in the process itself. */
  readonly statementTimeout: number
}

/** The database at this address. */
export const layer = (
  url: DatabaseUrl,
  options: Partial<Options> = {}
): Layer.Layer<SqlClient.SqlClient, DatabaseUnavailable> => {
  const bounds = { statementTimeout: 1000 * (options.statementTimeout ?? DatabaseConfig.defaultStatementTimeout) }
  return Match.valueTags(url, {
    Sqlite: ({ path }) => SqliteDatabase.layer(path),
    Postgres: ({ url }) => PostgresDatabase.layer(url, bounds)
  })
}

/** The database that the environment names. */
export const layerConfig: Layer.Layer<SqlClient.SqlClient, DatabaseUnavailable | ConfigError.ConfigError> =
  Layer.unwrapEffect(
    Effect.map(Effect.all([DatabaseConfig.url, DatabaseConfig.statementTimeout]), ([url, statementTimeout]) =>
      layer(url, { statementTimeout })
    )
  )
