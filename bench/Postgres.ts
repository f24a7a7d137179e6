// A PostgreSQL server with a database for each program that is measured.
import { SqlClient } from "@effect/sql"
import { Effect, Redacted } from "effect"
import * as PostgresDatabase from "../layers/database/internal/PostgresDatabase.ts"
import * as PostgresServer from "../test/support/PostgresServer.ts"

export interface Databases {
  /** The URL of a new database of this name. */
  readonly create: (name: string) => Promise<string>
  readonly stop: () => Promise<void>
}

/** With settings such as `autovacuum=on`. */
export const start = async (settings: ReadonlyArray<string> = []): Promise<Databases> => {
  const server = await PostgresServer.start(settings)
  const create = async (name: string) => {
    const run = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE DATABASE ${sql(name)}`)
    const database = PostgresDatabase.layer(Redacted.make(`${server.address}/postgres`))
    await Effect.runPromise(Effect.provide(run, database))
    return `${server.address}/${name}`
  }
  return { create, stop: server.stop }
}
