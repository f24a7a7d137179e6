// Starts a real PostgreSQL before the first test file, makes a migrated template of each database, and stops it after the
// last.
import { SqlClient } from "@effect/sql"
import { Effect, Redacted } from "effect"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import * as Migrations from "../../layers/database/Migrations.ts"
import * as PostgresDatabase from "../../layers/database/internal/PostgresDatabase.ts"
import * as Database from "../../layers/database/Database.ts"
import { Sqlite } from "../../src/database/DatabaseUrl.ts"
import * as PostgresServer from "./PostgresServer.ts"
import * as TemporaryFolders from "./TemporaryFolders.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** The address of the server without a database: `${postgresServer}/NAME`. */
    readonly postgresServer: string
    /** The migrated database that every fresh one is a copy of. */
    readonly postgresTemplate: string
    /** The file of the migrated SQLite database that every fresh one is a copy of. */
    readonly sqliteTemplate: string
    /** A folder that is removed after the run, however it ends. */
    readonly temporaryFolder: string
  }
}

const template = "framework_template"

// Its log is in memory too.
const settings = ["max_wal_size=256MB"]

const setup = async (project: TestProject) => {
  PostgresServer.sweep()
  const server = await PostgresServer.start(settings, TemporaryFolders.parent).catch((cause: unknown) => {
    throw new Error(`The tests need PostgreSQL and it did not start: ${String(cause)}`, { cause })
  })
  const sqliteTemplate = join(server.folder, "template.sqlite")
  try {
    await Effect.runPromise(migrateTemplate(server.address))
    await Effect.runPromise(Effect.provide(Migrations.run(), Database.layer(Sqlite({ path: sqliteTemplate }))))
  } catch (cause) {
    await server.stop()
    throw cause
  }
  project.provide("postgresServer", server.address)
  project.provide("postgresTemplate", template)
  project.provide("sqliteTemplate", sqliteTemplate)
  project.provide("temporaryFolder", server.folder)
  return server.stop
}

export default setup

const migrateTemplate = (address: string) => {
  const at = (name: string) => PostgresDatabase.layer(Redacted.make(`${address}/${name}`))
  const create = Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`CREATE DATABASE ${template}`))
  return Effect.zipRight(Effect.provide(create, at("postgres")), Effect.provide(Migrations.run(), at(template)))
}
