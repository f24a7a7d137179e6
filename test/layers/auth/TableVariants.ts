// The tables that the stores are tested on: the defaults, a prefix, a schema, and accounts in the program's own table.
import { SqlClient, type SqlError } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { describe } from "@effect/vitest"
import { Effect, Layer, Redacted, String } from "effect"
import * as Migrations from "../../../layers/database/Migrations.ts"
import * as Tables from "../../../layers/database/Tables.ts"
import { postgres, sqlite, TestDatabase, type TestEngine } from "../../support/Databases.ts"

interface Variant {
  readonly name: string
  readonly database: TestEngine
  readonly tables: Tables.Tables
}

const own = (name: string, engine: TestEngine, tables: Tables.Tables, statements: ReadonlyArray<string> = []) => {
  const create = Layer.effectDiscard(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.orDie(Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true }))
    )
  )
  const layer = Layer.provide(Migrations.layerWith({}, { tables }), create).pipe(Layer.provideMerge(engine.layerEmpty))
  return { name: `${engine.name} with ${name}`, database: { ...engine, layer }, tables }
}

// Without the framework's client and its prepared statements.
const postgresOnly = Layer.provide(Layer.effect(TestDatabase, TestDatabase), postgres.layerEmpty)

/** PostgreSQL through a client that the program made: it renames columns, and returns a `BIGINT` as text. */
const ownClient: TestEngine = {
  ...postgres,
  layerEmpty: Layer.unwrapEffect(
    Effect.map(TestDatabase, ({ url }) =>
      Layer.orDie(
        PgClient.layer({
          url: Redacted.make(url),
          transformQueryNames: String.camelToSnake,
          transformResultNames: String.snakeToCamel
        })
      )
    )
  ).pipe(Layer.provideMerge(postgresOnly))
}

const people = { table: "people", identifier: "login", secret: "hash" } as const

/** The defaults come first. */
export const variants: ReadonlyArray<Variant> = [
  { name: "SQLite", database: sqlite, tables: Tables.defaults },
  { name: "PostgreSQL", database: postgres, tables: Tables.defaults },
  own(
    "a prefix and an integer key",
    sqlite,
    Tables.make({
      prefix: "app_",
      users: {
        ...people,
        key: { column: "person", type: "integer" },
        verified: { column: "isVerified", type: "boolean" }
      }
    }),
    [
      `CREATE TABLE people (person INTEGER PRIMARY KEY, login TEXT NOT NULL UNIQUE, hash TEXT,
        "isVerified" BOOLEAN NOT NULL DEFAULT FALSE)`
    ]
  ),
  own("a schema and a prefix", postgres, Tables.make({ schema: "auth", prefix: "app_" })),
  own(
    "a uuid key",
    postgres,
    Tables.make({
      schema: "auth",
      users: {
        ...people,
        table: "crm.people",
        key: { type: "uuid" },
        verified: { column: "verified", type: "timestamp" },
        created: { column: "since", type: "timestamp" }
      }
    }),
    [
      "CREATE SCHEMA crm",
      `CREATE TABLE crm.people (id UUID PRIMARY KEY, login VARCHAR(255) NOT NULL UNIQUE, hash TEXT NOT NULL,
        verified TIMESTAMPTZ, since TIMESTAMPTZ NOT NULL)`
    ]
  ),
  own(
    "an integer key and the program's own client",
    ownClient,
    Tables.make({
      users: {
        ...people,
        key: { type: "integer" },
        verified: { column: "verifiedAt" },
        values: ({ now }) => ({ since: now, active: true })
      }
    }),
    [
      `CREATE TABLE people (id SERIAL PRIMARY KEY, login TEXT NOT NULL UNIQUE, hash TEXT NOT NULL, "verifiedAt" BIGINT,
        since TIMESTAMP NOT NULL, active BOOLEAN NOT NULL)`
    ]
  )
]

type Suite = (database: TestEngine, tables: Tables.Tables) => void

const describeEach = (name: string, chosen: ReadonlyArray<Variant>, suite: Suite): void => {
  for (const { database, name: where, tables } of chosen) describe(`${name} on ${where}`, () => suite(database, tables))
}

/** The same suite on each. */
export const describeTables = (name: string, suite: Suite): void => describeEach(name, variants, suite)

/** For a store that does not read accounts: the default tables, and those that only have other names. */
export const describeNames = (name: string, suite: Suite): void =>
  describeEach(
    name,
    variants.filter(
      ({ database, tables }) => tables.users.owner === "framework" || database.layerEmpty === ownClient.layerEmpty
    ),
    suite
  )

/** A statement of the test itself, with the columns as the table names them. */
export const query = <A>(
  statement: (sql: SqlClient.SqlClient) => Effect.Effect<A, SqlError.SqlError>
): Effect.Effect<A, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => statement(sql.withoutTransforms()))

/** The condition on the row of an account. */
export const hasId = (sql: SqlClient.SqlClient, { users }: Tables.Tables, user: string) =>
  sql`CAST(${sql(users.key.column)} AS TEXT) = ${user}`
