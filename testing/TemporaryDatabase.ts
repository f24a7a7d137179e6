// A fresh SQLite database in a folder of its own, migrated; both are gone when the scope closes.
import type { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { join } from "node:path"
import * as Database from "../layers/database/Database.ts"
import * as Migrations from "../layers/database/Migrations.ts"
import * as Tables from "../layers/database/Tables.ts"
import type { DatabaseUnavailable } from "../src/database/DatabaseUnavailable.ts"
import * as DatabaseUrl from "../src/database/DatabaseUrl.ts"
import type { MigrationFailed, NewerSchema } from "../src/database/MigrationFailed.ts"
import * as TemporaryFolder from "./TemporaryFolder.ts"

export type { TemporaryFolder } from "./TemporaryFolder.ts"

/** The database and the tables of a test. */
export interface Options {
  /** A database other than the file, such as `PgClient.layer(…)`; when it cannot be opened, the test fails. */
  readonly database?: Layer.Layer<SqlClient.SqlClient, unknown>
  readonly tables?: Tables.Tables
}

const file = Layer.unwrapEffect(
  Effect.map(TemporaryFolder.TemporaryFolder, (path) =>
    Database.layer(DatabaseUrl.Sqlite({ path: join(path, "test.sqlite") }))
  )
)

/** The framework's tables, then the program's own; in the file, or in a database of the program's choice. */
export const layer = (
  program: Migrations.Migrations = {},
  { database, tables = Tables.defaults }: Options = {}
): Layer.Layer<
  SqlClient.SqlClient | TemporaryFolder.TemporaryFolder,
  DatabaseUnavailable | MigrationFailed | NewerSchema
> =>
  Migrations.layerWith(program, { tables }).pipe(
    Layer.provideMerge(database === undefined ? file : Layer.orDie(database)),
    Layer.provideMerge(TemporaryFolder.layer)
  )
