import { describe, expect, it } from "@effect/vitest"
import * as Catalogue from "../../../src/pagination/internal/query/Catalogue.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"

const Cup = Entity.make("cups", { key: "id", columns: { id: Column.integer, name: Column.text } })

const id = {
  name: "id",
  type: "INTEGER",
  kinds: Catalogue.sqliteKinds("INTEGER"),
  nullable: false
}
const name = { name: "name", type: "TEXT", kinds: Catalogue.sqliteKinds("TEXT"), nullable: false }
const problems = (columns: ReadonlyArray<Catalogue.Found>, { isView = false, unique = ["id"] } = {}) =>
  Catalogue.problems(Cup, { isView, columns, uniques: [unique] }).map(({ column, found }) => `${column}: ${found}`)

describe("the kinds of a database type", () => {
  it.each([
    ["INTEGER", "integer", true],
    ["VARCHAR(20)", "text", true],
    ["DOUBLE PRECISION", "float", true],
    ["BLOB", "text", false],
    ["DATETIME", "timestamp", true],
    ["DATE", "date", true],
    ["INTEGER", "decimal", true],
    ["TEXT", "decimal", false],
    ["REAL", "decimal", false],
    ["BLOB", "bytes", true],
    ["TEXT", "json", true]
  ] as const)("of SQLite's %s: %s is %s", (type, kind, holds) => {
    expect(Catalogue.sqliteKinds(type)?.includes(kind)).toBe(holds)
  })

  it.each([
    ["int8", "N", "bigint", true],
    ["citext", "S", "text", true],
    ["mood", "E", "text", true],
    ["bytea", "U", "text", false],
    ["bytea", "U", "bytes", true],
    ["numeric", "N", "decimal", true],
    ["float8", "N", "decimal", false],
    ["date", "D", "date", true],
    ["timestamptz", "D", "date", false],
    ["time", "D", "time", true],
    ["jsonb", "U", "json", true],
    ["constructor", "U", "text", false]
  ] as const)("of PostgreSQL's %s (%s): %s is %s", (type, category, kind, holds) => {
    expect(Catalogue.pgKinds(type, category).includes(kind)).toBe(holds)
  })

  it("are unknown for an expression without a type", () => {
    expect(Catalogue.sqliteKinds("")).toBeUndefined()
  })
})

const milliseconds = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
const microseconds = "strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')"

describe("the problems of an entity", () => {
  it("are none when it fits its table", () => {
    expect(problems([id, name])).toEqual([])
  })

  it("name what is missing, of another type, nullable, or no key", () => {
    expect(problems([id])).toEqual(["name: no such column"])
    expect(problems([id, { ...name, type: "BLOB", kinds: [] }])).toEqual(["name: BLOB"])
    expect(problems([id, { ...name, nullable: true }])).toEqual(["name: TEXT, which may be null"])
    expect(problems([id, name], { unique: ["id", "name"] })).toEqual([
      "id: INTEGER without a unique index over it alone"
    ])
  })

  it("say what a key of SQLite that may be null needs", () => {
    expect(problems([{ ...id, nullable: true }, name])).toEqual(["id: INTEGER, which may be null: add NOT NULL"])
  })

  it("name a default of SQLite that is spelled otherwise than the values of the column", () => {
    const presets = ["CURRENT_TIMESTAMP", "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')", milliseconds, microseconds]
    const foundFor = (column: Column.Column<"timestamp", false>) =>
      presets.map((preset) => {
        const At = Entity.make("cups", { key: "id", columns: { id: Column.integer, at: column } })
        const at = { name: "at", type: "TEXT", kinds: Catalogue.sqliteKinds("TEXT"), nullable: false, preset }
        const [problem] = Catalogue.problems(At, { isView: false, columns: [id, at], uniques: [["id"]] })
        return problem?.found.replace(`TEXT DEFAULT ${preset}, which `, "")
      })
    expect(foundFor(Column.timestamp)).toEqual([
      `stores 2024-02-29 12:00:00: use (${microseconds})`,
      `stores 0 digits of a second: use (${microseconds})`,
      `stores 3 digits of a second: use (${microseconds})`,
      undefined
    ])
    expect(foundFor({ ...Column.timestamp, scale: 3 })).toEqual([
      `stores 2024-02-29 12:00:00: use (${milliseconds})`,
      `stores 0 digits of a second: use (${milliseconds})`,
      undefined,
      `stores 6 digits of a second: use (${milliseconds})`
    ])
  })

  it("are only those of types for a view", () => {
    expect(problems([id, { ...name, nullable: true }], { isView: true, unique: ["name"] })).toEqual([])
  })
})
