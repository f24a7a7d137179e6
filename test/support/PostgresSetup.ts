// Starts a real PostgreSQL with a migrated template before the first test file and stops it after the last.
import { SqlClient } from "@effect/sql"
import { Effect, Redacted } from "effect"
import type { TestProject } from "vitest/node"
import * as Migrations from "../../layers/database/Migrations.ts"
import * as PostgresDatabase from "../../layers/database/PostgresDatabase.ts"
import * as PostgresServer from "./PostgresServer.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** The address of the server without a database: `${postgresServer}/NAME`. */
    readonly postgresServer: string
    /** The migrated database that every fresh one is a copy of. */
    readonly postgresTemplate: string
    /** A folder that is removed after the run, however it ends. */
    readonly temporaryFolder: string
  }
}

const template = "framework_template"

const setup = async (project: TestProject) => {
  PostgresServer.sweep()
  const server = await PostgresServer.start().catch((cause: unknown) => {
    throw new Error(`The tests need PostgreSQL and it did not start: ${String(cause)}`, { cause })
  })
  try {
    await Effect.runPromise(migrateTemplate(server.address))
  } catch (cause) {
    await server.stop()
    throw cause
  }
  project.provide("postgresServer", server.address)
  project.provide("postgresTemplate", template)
  project.provide("temporaryFolder", server.folder)
  return server.stop
}

export default setup

const migrateTemplate = (address: string) => {
  const at = (name: string) => PostgresDatabase.layer(Redacted.make(`${address}/${name}`))
  const create = Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`CREATE DATABASE ${template}`))
  return Effect.zipRight(Effect.provide(create, at("postgres")), Effect.provide(Migrations.run(), at(template)))
}
