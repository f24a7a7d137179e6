// The databases that lists are measured on: a SQLite file and a PostgreSQL server, both gone afterwards.
import type { SqlClient } from "@effect/sql"
import { Effect, Layer, Redacted } from "effect"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as PostgresDatabase from "../../layers/database/internal/PostgresDatabase.ts"
import { orPlain, PreparedStatements } from "../../layers/database/internal/PreparedStatements.ts"
import * as Database from "../../layers/database/Database.ts"
import { Sqlite } from "../../src/database/DatabaseUrl.ts"
import * as PostgresServer from "../../test/support/PostgresServer.ts"

export interface Engine {
  readonly name: "SQLite" | "PostgreSQL"
  /** The path of the file, or the URL of the database. */
  readonly address: string
}

/** What was read before is read again: the figures are of reading, not of remembering. */
export const forgetful = Layer.effect(
  PreparedStatements,
  Effect.map(orPlain, ({ all, one, values }) =>
    PreparedStatements.of({ all, one, ...(values === undefined ? undefined : { values }) })
  )
)

const onSqlite = <A, E>(measure: (engine: Engine) => Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), "framework-bench-"))),
    (folder) => {
      const address = Path.join(folder, "bench.sqlite")
      return Effect.provide(measure({ name: "SQLite", address }), Database.layer(Sqlite({ path: address })))
    },
    (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true, force: true }))
  )

const onPostgres = <A, E>(measure: (engine: Engine) => Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.acquireUseRelease(
    Effect.promise(() => PostgresServer.start()),
    ({ address: server }) => {
      const address = `${server}/postgres`
      const database = Layer.orDie(PostgresDatabase.layer(Redacted.make(address)))
      return Effect.provide(measure({ name: "PostgreSQL", address }), database)
    },
    ({ stop }) => Effect.promise(stop)
  )

type Measure<A, E> = (engine: Engine) => Effect.Effect<ReadonlyArray<A>, E, SqlClient.SqlClient>

/** The figures of one. */
export const on = <A, E>(name: Engine["name"], measure: Measure<A, E>): Promise<ReadonlyArray<A>> =>
  Effect.runPromise(name === "SQLite" ? onSqlite(measure) : onPostgres(measure))

/** The figures of both, one after the other. */
export const onBoth = async <A, E>(measure: Measure<A, E>): Promise<ReadonlyArray<A>> => [
  ...(await on("SQLite", measure)),
  ...(await on("PostgreSQL", measure))
]
