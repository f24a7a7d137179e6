// Hot reads on PostgreSQL: the same rows as through Effect's client, no connection lost, none kept with an outdated plan.
import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, Redacted } from "effect"
import * as PostgresDatabase from "../../../layers/database/internal/PostgresDatabase.ts"
import { orPlain } from "../../../layers/database/internal/PreparedStatements.ts"
import { postgres, TestDatabase } from "../../support/Databases.ts"
import { eventually } from "../../support/Eventually.ts"

/** The same database by a pool of its own. */
const pool = (maxConnections: number, statementTimeout = 60_000) =>
  Layer.unwrapEffect(
    Effect.map(TestDatabase, ({ url }) =>
      Layer.orDie(PostgresDatabase.layer(Redacted.make(url), { maxConnections, statementTimeout }))
    )
  )

const everyKind = `SELECT 7::int4 AS small, 9007199254740993::int8 AS beyond, 5::int8 AS whole, true AS flag, 1.5::float8 AS real,
  12.30::numeric AS decimal, 'naïve 🙂' AS text, NULL::text AS nothing, '' AS empty, '{"a":[1]}'::jsonb AS json,
  '2024-01-02T03:04:05.678Z'::timestamptz AS moment, '\\x00ff'::bytea AS bytes, ARRAY[1,2]::int4[] AS list`

describe("PostgresStatements", () => {
  layer(postgres.layer, { excludeTestServices: true })((it) => {
    it.effect("reads every type as the client does, the first time and when the statement is known", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { all, one, values } = yield* orPlain
        const [expected] = yield* sql.unsafe<Record<string, unknown>>(everyKind)
        const read = one(sql.unsafe(everyKind))
        for (let times = 0; times < 3; times++) expect(yield* read([])).toEqual(Option.some(expected))
        expect(yield* all(sql.unsafe(everyKind))([])).toEqual([expected])
        const list = Object.values(expected ?? {})
        expect(yield* values?.(sql.unsafe(everyKind))([]) ?? Effect.succeed([])).toEqual([list])
      }).pipe(Effect.provide(pool(1)))
    )

    it.effect("sends every kind of parameter as the client does", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { values } = yield* orPlain
        const text =
          "SELECT $1::text AS a, $2::int8 AS b, $3::int8 AS c, $4::text AS d, $5::int4[] AS e, $6::bytea AS f"
        const given = ["naïve ' \" \\ 🙂", 5, 9007199254740993n, null, [1, 2, 3], new Uint8Array([0, 255])]
        const expected = yield* sql.unsafe(text, given).values
        expect(yield* values?.(sql.unsafe(text))(given) ?? Effect.succeed([])).toEqual(expected)
      }).pipe(Effect.provide(pool(1)))
    )

    it.effect("is described once for a connection, and anew when a migration changes the type of a column", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { one } = yield* orPlain
        yield* sql`CREATE TABLE changing (id INT4 PRIMARY KEY, amount INT4 NOT NULL)`
        yield* sql`INSERT INTO changing VALUES (1, 41)`
        const read = one(sql<{ amount: unknown }>`SELECT amount FROM changing WHERE id = ${0}`)
        expect(yield* read([1])).toEqual(Option.some({ amount: 41 }))
        expect(yield* read([1])).toEqual(Option.some({ amount: 41 }))
        yield* sql`ALTER TABLE changing ALTER COLUMN amount TYPE TEXT`
        // The server refuses the plan that it kept; the connection that has it is closed, and the reader notices nothing.
        expect(yield* read([1])).toEqual(Option.some({ amount: "41" }))
        expect(yield* read([1])).toEqual(Option.some({ amount: "41" }))
        yield* sql`DROP TABLE changing`
        const missing = yield* Effect.flip(read([1]))
        expect(missing.cause).toMatchObject({ code: "42P01" })
        yield* sql`CREATE TABLE changing (id TEXT PRIMARY KEY, amount INT4 NOT NULL)`
        yield* sql`INSERT INTO changing VALUES ('1', 42)`
        expect(yield* read(["1"])).toEqual(Option.some({ amount: 42 }))
        yield* sql`DEALLOCATE ALL`
        expect(yield* read(["1"])).toEqual(Option.some({ amount: 42 }))
      }).pipe(Effect.provide(pool(1)))
    )

    it.effect(
      "reads by the type that a migration has given a column, also a value that the former one could not hold",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { one } = yield* orPlain
          yield* sql`CREATE TABLE widening (id INT4 PRIMARY KEY, at DATE NOT NULL)`
          yield* sql`INSERT INTO widening VALUES (1, '2026-01-02')`
          const byId = one(sql<{ found: number }>`SELECT 1 AS found FROM widening WHERE id = ${0}`)
          const byDate = one(sql<{ found: number }>`SELECT 1 AS found FROM widening WHERE at = ${""}`)
          expect(yield* byId([1])).toEqual(Option.some({ found: 1 }))
          expect(yield* byDate(["2026-01-02"])).toEqual(Option.some({ found: 1 }))
          yield* sql`ALTER TABLE widening ALTER COLUMN id TYPE INT8, ALTER COLUMN at TYPE TEXT`
          yield* sql`INSERT INTO widening VALUES (3000000000, 'soon')`
          expect(yield* byId([3_000_000_000])).toEqual(Option.some({ found: 1 }))
          expect(yield* byDate(["soon"])).toEqual(Option.some({ found: 1 }))
        }).pipe(Effect.provide(pool(1)))
    )

    it.effect("keeps a connection on which a list was refused", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { values } = yield* orPlain
        const pid = sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
        const before = yield* pid
        const read = values?.(sql.unsafe("SELECT $1::int4 AS number")) ?? (() => Effect.die("no lists"))
        const refused = yield* Effect.flip(read(["none"]))
        expect(refused.cause).toMatchObject({ code: "22P02" })
        expect(yield* read(["7"])).toEqual([[7]])
        expect(yield* pid).toEqual(before)
      }).pipe(Effect.provide(pool(1)))
    )

    it.effect("keeps a connection on which a statement is wrong by itself, each time that it runs", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { all } = yield* orPlain
        const pid = sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
        const before = yield* pid
        yield* sql`CREATE FUNCTION pg_temp.refuse() RETURNS int LANGUAGE plpgsql AS
          $$ BEGIN RAISE insufficient_privilege; END $$`
        const [denied, missing] = [
          all(sql`SELECT pg_temp.refuse() AS one`),
          all(sql`SELECT 1 AS one FROM no_such_table`)
        ]
        for (let times = 0; times < 3; times++) {
          expect((yield* Effect.flip(denied([]))).cause).toMatchObject({ code: "42501" })
          expect((yield* Effect.flip(missing([]))).cause).toMatchObject({ code: "42P01" })
        }
        expect(yield* pid).toEqual(before)
      }).pipe(Effect.provide(pool(1)))
    )

    it.effect("ends a statement whose fiber was interrupted, and gives its connection back", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { one, values } = yield* orPlain
        const running = sql<{ count: number }>`SELECT count(*) AS count FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT pg_sleep%'`
        const sleep: Effect.Effect<unknown, unknown> = values?.(sql.unsafe("SELECT pg_sleep($1)"))([600]) ?? Effect.void
        const sleeping = yield* Effect.fork(sleep)
        yield* eventually(running, ([row]) => row?.count === 1)
        yield* Fiber.interrupt(sleeping)
        yield* eventually(running, ([row]) => row?.count === 0)
        const read = one(sql<{ one: number }>`SELECT 1 AS one WHERE 'x' = ${""}`)
        const found = yield* Effect.all([read(["x"]), read(["x"]), read(["x"])], { concurrency: "unbounded" })
        expect(found).toEqual(Array.from({ length: 3 }, () => Option.some({ one: 1 })))
        // Without a bound of the server, which would end the statement as well.
      }).pipe(Effect.provide(pool(2, 0)))
    )
  })
})
