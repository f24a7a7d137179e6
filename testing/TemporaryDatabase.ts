// A fresh database, migrated, and gone when the scope closes: a SQLite file in a folder of its own, or one on a PostgreSQL
// server.
import { SqlClient } from "@effect/sql"
import { Effect, Layer, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import * as Database from "../layers/database/Database.ts"
import * as Migrations from "../layers/database/Migrations.ts"
import * as Tables from "../layers/database/Tables.ts"
import type { DatabaseUnavailable } from "../src/database/internal/DatabaseUnavailable.ts"
import * as DatabaseUrl from "../src/database/DatabaseUrl.ts"
import type { MigrationFailed, NewerSchema } from "../src/database/internal/MigrationFailed.ts"
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

/**
 * The framework's tables, then the program's own; in the file, or in a database of the program's choice.
 *
 * @example
 * ```ts
 * import { SqlClient } from "@effect/sql"
 * import { expect, layer } from "@effect/vitest"
 * import { Effect } from "effect"
 * import { TemporaryDatabase } from "effect-framework/testing"
 *
 * const shelf = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE teas (name TEXT NOT NULL UNIQUE)`)
 *
 * layer(TemporaryDatabase.layer({ "0001_teas": Effect.asVoid(shelf) }))("The shelf", (it) => {
 *   it.effect("holds each tea once", () =>
 *     Effect.gen(function* () {
 *       const sql = yield* SqlClient.SqlClient
 *       const add = sql`INSERT INTO teas (name) VALUES ('Assam')`
 *       yield* add
 *       expect((yield* Effect.flip(add))._tag).toBe("SqlError")
 *     })
 *   )
 * })
 * ```
 */
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

const asAdmin = (server: Redacted.Redacted, statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(
    Effect.provide(Database.layer(DatabaseUrl.Postgres({ url: server }))),
    Effect.orDie
  )

const named = (server: Redacted.Redacted, name: string): Redacted.Redacted => {
  const url = new URL(Redacted.value(server))
  url.pathname = `/${name}`
  return Redacted.make(url.href)
}

/**
 * A fresh database on this PostgreSQL server, as the option `database` of `TestApp.layer` and of `layer`; it is dropped when
 * the scope closes. The URL names a database that is there, such as `postgres://localhost/postgres`, and a user who may
 * create others.
 */
export const layerPostgres = (server: string): Layer.Layer<SqlClient.SqlClient, DatabaseUnavailable> => {
  const admin = Redacted.make(server)
  const created = Effect.acquireRelease(
    Effect.suspend(() => {
      const name = `test_${randomBytes(8).toString("hex")}`
      return Effect.as(asAdmin(admin, `CREATE DATABASE ${name}`), name)
    }),
    (name) => asAdmin(admin, `DROP DATABASE ${name} WITH (FORCE)`)
  )
  return Layer.unwrapScoped(
    Effect.map(created, (name) => Database.layer(DatabaseUrl.Postgres({ url: named(admin, name) })))
  )
}
