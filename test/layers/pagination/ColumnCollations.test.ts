import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as ColumnCollations from "../../../layers/pagination/internal/ColumnCollations.ts"
import * as IndexCheck from "../../../layers/pagination/IndexCheck.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import { describeDatabases, sqlite } from "../../support/Databases.ts"
import { explain } from "../../support/Plans.ts"

const columns = { id: Column.integer, name: Column.text, size: Column.integer, code: Column.text } as const
const Cup = Entity.make("cups", { key: "id", columns })

describe("The collations of columns", () => {
  layer(sqlite.layerEmpty)((it) => {
    it.effect("are what SQLite compares by", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const None = Entity.make("none", { key: "id", columns })
        expect(yield* ColumnCollations.read(sql, None)).toEqual(new Map())
        yield* sql`CREATE TABLE cups (id INTEGER PRIMARY KEY, name TEXT COLLATE nocase NOT NULL,
          size INTEGER NOT NULL, code TEXT NOT NULL DEFAULT 'COLLATE NOCASE' COLLATE "RTRIM")`
        yield* sql`CREATE INDEX cups_name ON cups (name)`
        const found = new Map([
          ["name", "NOCASE"],
          ["size", "BINARY"],
          ["code", "RTRIM"]
        ])
        expect(yield* ColumnCollations.read(sql, Cup)).toEqual(found)
        yield* sql`ALTER TABLE cups RENAME COLUMN name TO code_`
        yield* sql`ALTER TABLE cups RENAME COLUMN code TO name`
        yield* sql`ALTER TABLE cups RENAME COLUMN code_ TO code`
        expect([...(yield* ColumnCollations.read(sql, Cup)).entries()]).toEqual([
          ["name", "RTRIM"],
          ["size", "BINARY"],
          ["code", "NOCASE"]
        ])
      })
    )
  })
})

describeDatabases("The collation of an index", (database) => {
  const [own, other] = database.name === "SQLite" ? ["NOCASE", "BINARY"] : ['"C"', '"und-x-icu"']
  const list = Selection.from(Cup).order("Asc", "name")
  const equal = Selection.from(Cup).filter("code", "equal", "a")

  layer(database.layerEmpty)((it) => {
    it.effect("is that of the column where the index serves an order, as the plan says", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe(`CREATE TABLE cups (id INTEGER PRIMARY KEY, name TEXT COLLATE ${own} NOT NULL,
          size INTEGER NOT NULL, code TEXT COLLATE ${own} NOT NULL)`)
        const check = Effect.fnUntraced(function* (...indexes: ReadonlyArray<string>) {
          yield* sql`DROP INDEX IF EXISTS found`
          for (const index of indexes) yield* sql.unsafe(`CREATE INDEX found ON cups (${index})`)
          const plan = yield* explain(sql`SELECT id FROM cups ORDER BY name, id LIMIT 10`)
          expect([indexes, (yield* IndexCheck.run(list)).length > 0]).toEqual([indexes, plan.sorts])
          return yield* IndexCheck.run(list, equal)
        })
        const [names, codes] = [
          'CREATE INDEX "cups_name_id" ON "cups" ("name", "id")',
          'CREATE INDEX "cups_code_id" ON "cups" ("code", "id")'
        ]
        expect(yield* check()).toEqual([names, codes])
        expect(yield* check("name, id")).toEqual([codes])
        expect(yield* check(`name COLLATE ${own}, id`)).toEqual([codes])
        expect(yield* check(`name COLLATE ${other}, id`)).toEqual([names, codes])
        expect(yield* check("code, id")).toEqual([names])
        expect(yield* check(`code COLLATE ${other}, id`)).toEqual([names, codes])
        if (database.name === "PostgreSQL") expect(yield* check("name text_pattern_ops, id")).toEqual([names, codes])
        yield* sql`DROP INDEX IF EXISTS found`
        for (const statement of [names, codes]) yield* sql.unsafe(statement)
        expect(yield* IndexCheck.run(list, equal)).toEqual([])
      })
    )
  })
})
