import { SqlClient } from "@effect/sql"
import { describe, expect, it, layer } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import * as TableIndexes from "../../../layers/pagination/internal/TableIndexes.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { nullTests } from "../../../layers/pagination/internal/TableIndexes.ts"

const Cup = Entity.make("cups", { key: "id", columns: { id: Column.integer, size: Column.nullable(Column.integer) } })

describeDatabases("The indexes of a table", (database) => {
  layer(database.layerEmpty)((it) => {
    it.effect("are those of the catalogue, the key among them, and partial ones for a list with a filter", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        expect([yield* TableIndexes.reader(sql)(Cup, true), yield* TableIndexes.isTable(sql, "cups")]).toEqual([
          [],
          false
        ])
        yield* sql`CREATE TABLE cups (id INTEGER PRIMARY KEY, size INTEGER)`
        yield* sql`CREATE VIEW seen AS SELECT * FROM cups`
        yield* sql`CREATE INDEX whole ON cups (size DESC, id)`
        yield* sql`CREATE INDEX partly ON cups (id, size) WHERE size > 3`
        const names = (isFiltered: boolean) =>
          Effect.map(TableIndexes.reader(sql)(Cup, isFiltered), (indexes) =>
            indexes
              .map(({ columns }) => columns.map((one) => `${one?.column}${one?.descending === true ? " down" : ""}`))
              // In SQLite the key ends every index by itself.
              .map((columns) => [...new Set(columns)].join())
              .toSorted()
          )
        expect(yield* names(false)).toEqual(["id", "size down,id"])
        // A reader looks into the catalogue once for each table.
        const indexesOf = TableIndexes.reader(sql)
        const before = yield* indexesOf(Cup, true)
        yield* sql`CREATE INDEX later ON cups (size)`
        expect((yield* indexesOf(Cup, true)).length).toBe(before.length)
        expect((yield* TableIndexes.reader(sql)(Cup, true)).length).toBe(before.length + 1)
        yield* sql`DROP INDEX later`
        expect(yield* names(true)).toEqual(["id", "id,size", "size down,id"])
        expect(yield* Effect.forEach(["cups", "seen"], (name) => TableIndexes.isTable(sql, name))).toEqual([
          true,
          false
        ])
      })
    )
  })
})

describe("The text of an index", () => {
  it("names the columns whose nulls it tells from values", () => {
    const sql =
      'CREATE INDEX "x (" ON "t,(" (kind DESC, "due ""at""" IS NULL, (rank is  null) DESC, coalesce(a, b) IS NULL, id)'
    expect(nullTests(sql)).toEqual([undefined, 'due "at"', "rank", undefined, undefined])
  })

  it.prop(
    "has as many parts as it has columns",
    [fc.array(fc.constantFrom('"a,)"', "b", "f('),(', 1)"), { minLength: 1 })],
    ([parts]) => {
      expect(nullTests(`CREATE INDEX i ON t (${parts.join(", ")})`)).toHaveLength(parts.length)
    }
  )

  it.prop(
    "is read to its end whatever it is",
    [fc.string({ unit: fc.constantFrom("(", ")", ",", '"', "'", "a") })],
    ([text]) => {
      expect(Array.isArray(nullTests(text))).toBe(true)
    }
  )
})
