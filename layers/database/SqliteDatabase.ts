// A SQLite file for the workers of one machine.
import type { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import type { DatabaseUnavailable } from "../../src/database/DatabaseUnavailable.ts"

/** The database in this file; a relative path belongs to the working directory. */
export const layer = (path: string): Layer.Layer<SqlClient.SqlClient, DatabaseUnavailable> =>
  Layer.unwrapEffect(
    // The driver is native: a program on PostgreSQL does not load it.
    Effect.map(
      Effect.promise(() => import("./internal/SqliteConnection.ts")),
      (connection) => connection.layer(path)
    )
  )
