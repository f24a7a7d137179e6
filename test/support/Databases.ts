// The two databases every store is tested on: a real SQLite file and a real PostgreSQL server. The tests of routes run on
// SQLite in `npm test` and on PostgreSQL in `npm run test:release`.
//
//   import { expect, layer } from "@effect/vitest"
//   import { Effect, Layer } from "effect"
//   import { describeDatabases } from "../../support/Databases.ts"
//
//   describeDatabases("Tokens", (database) => {
//     layer(SqlTokens.layer.pipe(Layer.provideMerge(database.layer)))((it) => {
//       it.effect("redeems a token once", () =>
//         Effect.gen(function* () {
//           const tokens = yield* Tokens.Tokens
//           const sql = yield* SqlClient.SqlClient
//           …
//         }))
//     })
//   })
//
// Each `layer(…)` block (and each `Effect.provide(database.layer)`) gets a database of its own: fresh, migrated, gone
// when the block ends. Tests inside one block share it, so give each its own user or e-mail. It provides
//   SqlClient.SqlClient   the client,
//   PreparedStatements    the hot reads of layers/database/internal/PreparedStatements.ts,
//   TestDatabase          { name, url }: `url` is a DATABASE_URL for a separate process on the same database.
// `database.layerEmpty` is the same without any table, `database.layerAt(url)` a further connection to an existing one:
//   const { url } = yield* TestDatabase
//   yield* Effect.provide(other, database.layerAt(url))
//
// The clock is the TestClock, one for the whole block: time moved by one test stays moved for the next. With
// `layer(…, { excludeTestServices: true })` it is the real one. SQLite waits for a lock without yielding, so two
// connections of one process must not hold transactions at the same time: use processes for that. Plans: Plans.ts.
import { SqlClient } from "@effect/sql"
import { describe, expect, inject } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Database from "../../layers/database/Database.ts"
import * as PostgresDatabase from "../../layers/database/internal/PostgresDatabase.ts"
import type { DatabaseUnavailable } from "../../src/database/internal/DatabaseUnavailable.ts"
import { parse } from "../../src/database/internal/DatabaseConfig.ts"
import type { MigrationFailed, NewerSchema } from "../../src/database/internal/MigrationFailed.ts"

export type Engine = "SQLite" | "PostgreSQL"

declare module "vitest" {
  export interface ProvidedContext {
    /** What the tests of routes run on. */
    readonly routeDatabases: ReadonlyArray<Engine>
  }
}

export class TestDatabase extends Context.Tag("test/TestDatabase")<
  TestDatabase,
  { readonly name: Engine; readonly url: string }
>() {}

type Services = SqlClient.SqlClient

export interface TestEngine {
  readonly name: Engine
  /** A fresh, migrated database of its own. */
  readonly layer: Layer.Layer<Services | TestDatabase, DatabaseUnavailable | MigrationFailed | NewerSchema>
  /** A fresh database without a table. */
  readonly layerEmpty: Layer.Layer<Services | TestDatabase, DatabaseUnavailable>
  /** Another connection to a database that is there already. */
  readonly layerAt: (url: string) => Layer.Layer<Services, DatabaseUnavailable>
}

const layerAt = (url: string) =>
  Option.match(parse(url), {
    onNone: () => Layer.die(new Error(`not a database address: ${url}`)),
    onSome: Database.layer
  })

const connected = Layer.unwrapEffect(Effect.map(TestDatabase, ({ url }) => layerAt(url)))

const sqliteFile = Layer.scoped(
  TestDatabase,
  Effect.acquireRelease(
    Effect.sync(() => Fs.mkdtempSync(Path.join(inject("temporaryFolder"), "sqlite-"))),
    (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true, force: true }))
  ).pipe(Effect.map((folder) => ({ name: "SQLite" as const, url: `file:${Path.join(folder, "test.sqlite")}` })))
)

const sqliteCopy = Layer.tap(sqliteFile, (context) =>
  Effect.sync(() =>
    Fs.copyFileSync(inject("sqliteTemplate"), Context.get(context, TestDatabase).url.slice("file:".length))
  )
)

const postgresCopy = (source: () => string) =>
  Layer.scoped(
    TestDatabase,
    Effect.acquireRelease(
      Effect.suspend(() => {
        const name = `test_${randomBytes(8).toString("hex")}`
        return Effect.as(asAdmin(`CREATE DATABASE ${name} TEMPLATE ${source()} STRATEGY FILE_COPY`), name)
      }),
      // A child process of the test may still be connected.
      (name) => Effect.orDie(asAdmin(`DROP DATABASE ${name} WITH (FORCE)`))
    ).pipe(Effect.map((name) => ({ name: "PostgreSQL" as const, url: `${inject("postgresServer")}/${name}` })))
  )

// A busy machine may take longer than a program waits for a connection.
const admin = { maxConnections: 1, connectTimeout: 60_000 }

const asAdmin = (statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.orDie(sql.unsafe(statement))).pipe(
    Effect.provide(
      Layer.suspend(() => PostgresDatabase.layer(Redacted.make(`${inject("postgresServer")}/postgres`), admin))
    )
  )

export const sqlite: TestEngine = {
  name: "SQLite",
  layer: connected.pipe(Layer.provideMerge(sqliteCopy)),
  layerEmpty: connected.pipe(Layer.provideMerge(sqliteFile)),
  layerAt
}

export const postgres: TestEngine = {
  name: "PostgreSQL",
  layer: connected.pipe(Layer.provideMerge(postgresCopy(() => inject("postgresTemplate")))),
  layerEmpty: connected.pipe(Layer.provideMerge(postgresCopy(() => "template1"))),
  layerAt
}

export const databases: ReadonlyArray<TestEngine> = [sqlite, postgres]

/** The databases that the file being collected runs on: both, or for routes those of the vitest project. */
export const databasesOfFile = (): ReadonlyArray<TestEngine> =>
  expect.getState().testPath?.includes("/test/routes/") === true
    ? databases.filter(({ name }) => inject("routeDatabases").includes(name))
    : databases

/** The same suite on each of them. */
export const describeDatabases = (name: string, suite: (database: TestEngine) => void): void => {
  for (const database of databasesOfFile()) describe(`${name} on ${database.name}`, () => suite(database))
}
