import { SqlClient } from "@effect/sql"
import { describe, expect, it, layer } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer, Option } from "effect"
import * as Database from "../../../layers/database/Database.ts"
import { orPlain } from "../../../layers/database/internal/PreparedStatements.ts"
import { describeDatabases, TestDatabase } from "../../support/Databases.ts"

const withUrl = (url: string | undefined) =>
  Effect.withConfigProvider(ConfigProvider.fromMap(new Map(url === undefined ? [] : [["DATABASE_URL", url]])))

describe("DATABASE_URL", () => {
  it.effect("stops the start with one line when it is neither, and masks a password", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(
        withUrl("mysql://root:hunter2@localhost/x")(Effect.scoped(Layer.build(Database.layerConfig)))
      )
      const line =
        'DATABASE_URL is "mysql://root:********@localhost/x", expected file:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE'
      expect(String(refused)).toContain(line)
      expect(String(refused)).not.toContain("hunter2")
    })
  )
})

describeDatabases("Database", (database) => {
  layer(database.layer)((it) => {
    it.effect("is the one that DATABASE_URL names", () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const tables = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT count(*) AS total FROM users`)
        expect(yield* withUrl(url)(Effect.provide(tables, Database.layerConfig))).toEqual([{ total: 0 }])
      })
    )

    it.scoped("shows a prepared read what another connection has just committed", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const prepared = yield* orPlain
        const { url } = yield* TestDatabase
        const read = prepared.one(sql<{ email: string; created_at: number }>`
          SELECT email, created_at FROM users WHERE id = ${""} AND created_at > ${0}`)
        const other = Context.get(yield* Layer.build(database.layerAt(url)), SqlClient.SqlClient)
        expect(yield* read(["shown", 0])).toEqual(Option.none())
        for (const email of ["a@example.com", "b@example.com", "c@example.com"]) {
          yield* other`INSERT INTO users ${other.insert({ id: "shown", email, password: "", created_at: 5 })}
            ON CONFLICT (id) DO UPDATE SET email = excluded.email`
          expect(yield* read(["shown", 0])).toEqual(Option.some({ email, created_at: 5 }))
        }
        expect(yield* read(["shown", 5])).toEqual(Option.none())
      })
    )

    it.effect("keeps what is not committed from a prepared read", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const prepared = yield* orPlain
        const read = prepared.one(sql`SELECT email FROM users WHERE id = ${""}`)
        const insert = sql`INSERT INTO users ${sql.insert({ id: "open", email: "open@example.com", password: "", created_at: 1 })}`
        expect(yield* sql.withTransaction(Effect.zipRight(insert, read(["open"])))).toEqual(Option.none())
        expect(yield* read(["open"])).toEqual(Option.some({ email: "open@example.com" }))
      })
    )

    it.effect("fails a prepared read of a table that is not there with a SqlError, and reads it once it is", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const prepared = yield* orPlain
        const read = prepared.one(sql`SELECT id FROM later WHERE id = ${""}`)
        expect((yield* Effect.flip(read(["x"])))._tag).toBe("SqlError")
        yield* sql`CREATE TABLE later (id TEXT NOT NULL PRIMARY KEY)`
        yield* sql`INSERT INTO later (id) VALUES ('x')`
        expect(yield* read(["x"])).toEqual(Option.some({ id: "x" }))
      })
    )

    it.effect("tells one unique violation from another failure by its code", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const enroll = (id: string) =>
          sql`INSERT INTO users ${sql.insert({ id, email: "twice@example.com", password: "", created_at: 1 })}`
        yield* enroll("first")
        const refused = yield* Effect.flip(enroll("second"))
        expect(refused.cause).toMatchObject({ code: database.name === "SQLite" ? "SQLITE_CONSTRAINT_UNIQUE" : "23505" })
      })
    )

    it.effect("undoes a failed transaction", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const insert = sql`INSERT INTO users ${sql.insert({ id: "undone", email: "undone@example.com", password: "", created_at: 1 })}`
        yield* Effect.exit(sql.withTransaction(Effect.zipRight(insert, Effect.fail("no"))))
        expect(yield* sql`SELECT id FROM users WHERE id = ${"undone"}`).toEqual([])
      })
    )
  })

  layer(database.layer)((it) => {
    it.effect("is empty of what another block has written", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        expect(yield* sql`SELECT count(*) AS total FROM users`).toEqual([{ total: 0 }])
      })
    )
  })
})
