// The one database of a program, on the engine that `DATABASE_URL` names.
import type { SqlClient } from "@effect/sql"
import { Config, ConfigError, type ConfigError as ConfigErrors, Effect, Either, Layer } from "effect"
import type { DatabaseUnavailable } from "../../src/database/DatabaseUnavailable.ts"
import * as DatabaseUrl from "../../src/database/DatabaseUrl.ts"
import * as Setting from "../../src/server/Setting.ts"
import type { PreparedStatements } from "./PreparedStatements.ts"
import * as PostgresDatabase from "./PostgresDatabase.ts"
import * as SqliteDatabase from "./SqliteDatabase.ts"

/** The variable that names the database. */
export const variable = "DATABASE_URL"

/** The database when the variable says nothing. */
export const fallback = "file:storage/demo.sqlite"

/** Where the data is, from the environment. */
export const config: Config.Config<DatabaseUrl.DatabaseUrl> = Setting.text(variable, fallback).pipe(
  Config.mapOrFail((text) =>
    Either.fromOption(DatabaseUrl.parse(text), () => {
      const shown = JSON.stringify(DatabaseUrl.redacted(text).slice(0, 200))
      return ConfigError.InvalidData([variable], `${variable} is ${shown}, expected ${DatabaseUrl.expected}`)
    })
  )
)

/** The variable that bounds a statement on PostgreSQL. */
export const timeoutVariable = "DATABASE_STATEMENT_TIMEOUT"

/** Seconds that a statement may take on PostgreSQL when nothing else is said. */
export const statementTimeout = 30

/** Seconds that a statement may take on PostgreSQL, from the environment; 0 for no bound. */
export const timeoutConfig: Config.Config<number> = Setting.integer(timeoutVariable, statementTimeout, {
  min: 0,
  max: 86_400
})

/** What holds for either engine. */
export interface Options {
  /** Seconds that a statement may take on PostgreSQL; 0 for no bound. SQLite answers in the process itself. */
  readonly statementTimeout: number
}

/** The database at this address. */
export const layer = (
  url: DatabaseUrl.DatabaseUrl,
  options: Partial<Options> = {}
): Layer.Layer<SqlClient.SqlClient | PreparedStatements, DatabaseUnavailable> => {
  const bounds = { statementTimeout: 1000 * (options.statementTimeout ?? statementTimeout) }
  return DatabaseUrl.match(url, {
    Sqlite: ({ path }) => SqliteDatabase.layer(path),
    Postgres: ({ url }) => PostgresDatabase.layer(url, bounds)
  })
}

/** The database that the environment names. */
export const layerConfig: Layer.Layer<
  SqlClient.SqlClient | PreparedStatements,
  DatabaseUnavailable | ConfigErrors.ConfigError
> = Layer.unwrapEffect(
  Effect.map(Effect.all([config, timeoutConfig]), ([url, statementTimeout]) => layer(url, { statementTimeout }))
)
