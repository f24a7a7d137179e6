// Whatever the database lets into a column: each list shows all of it in its own cursors and filters, or names the column.
import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Cause, Chunk, Effect, Either, FastCheck as fc, Schema } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import type { Kind } from "../../../src/pagination/internal/columns/ColumnKind.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as ListFormat from "../../../src/pagination/internal/ListFormat.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import type { Paginated } from "../../../src/pagination/Repository.ts"
import { describeDatabases, type Engine, postgres } from "../../support/Databases.ts"

interface Case {
  readonly column: Column.Column<Kind, false>
  readonly type: string
  /** SQL expressions. */
  readonly values: ReadonlyArray<string>
}

const integers = ["0", "-1", "9007199254740993", "9223372036854775807", "-9223372036854775808"]
const sloppy = ["''", "'abc'", "1.5", "12", "x'00ff'", "' 7'", "'1e3'", "9e999", "'12.50'"]

const cases: Readonly<Record<Engine, ReadonlyArray<Case>>> = {
  SQLite: [
    { column: Column.integer, type: "INTEGER", values: [...sloppy, "0", "-1", "9007199254740993"] },
    { column: Column.bigint, type: "INTEGER", values: [...sloppy, ...integers] },
    { column: Column.bigint, type: "NUMERIC", values: [...sloppy, ...integers] },
    { column: Column.float, type: "REAL", values: [...sloppy, "-0.0", "1e300", "-9e999"] },
    { column: Column.boolean, type: "BOOLEAN", values: ["0", "1", "2", "'true'", "1.0"] },
    { column: Column.decimal(2), type: "DECIMAL(10, 2)", values: [...sloppy, ...integers, "1250"] },
    { column: Column.text, type: "TEXT", values: [...sloppy, "char(0)", "'é'", "x'ff'"] },
    {
      column: Column.timestamp,
      type: "DATETIME",
      values: [
        ...sloppy,
        "'2024-02-29T12:00:00.000001Z'",
        "'2024-02-30T12:00:00.000000Z'",
        "'2024-02-29 12:00:00'",
        "'2024-02-29T12:00:00Z'",
        "'0000-01-01T00:00:00.000000Z'",
        "CURRENT_TIMESTAMP"
      ]
    },
    { column: Column.date, type: "DATE", values: [...sloppy, "'2024-02-29'", "'2023-02-29'", "CURRENT_DATE"] },
    { column: Column.time, type: "TIME", values: [...sloppy, "'12:30:00.000000'", "'12:30:00'", "CURRENT_TIME"] },
    { column: Column.uuid, type: "UUID", values: [...sloppy, "'018f3c2e-7b1a-7c3d-9e4f-0123456789AB'"] },
    { column: Column.bytes, type: "BLOB", values: [...sloppy, "x''"] }
  ],
  PostgreSQL: [
    { column: Column.integer, type: "INT8", values: ["0", "-1", "9007199254740991", "9007199254740993"] },
    { column: Column.bigint, type: "INT8", values: integers },
    { column: Column.float, type: "FLOAT8", values: ["0", "'-0'", "'NaN'", "'Infinity'", "'-Infinity'", "1e300"] },
    { column: Column.float, type: "REAL", values: ["0.1", "'NaN'", "3e38"] },
    {
      column: Column.decimal(2),
      type: "NUMERIC",
      values: ["0", "'NaN'", "'Infinity'", "1.12345678901234567890123", "1.1", "1.10", "1e99", "1e200", "-5"]
    },
    {
      column: Column.timestamp,
      type: "TIMESTAMPTZ",
      values: [
        "'2024-02-29 12:00:00.000001+00'",
        "'0044-03-15 00:00:00+00 BC'",
        "'0001-12-31 23:59:59.999999+00 BC'",
        "'0005-02-29 00:00:00+00 BC'",
        "'0001-01-01 00:00:00+00'",
        "'12024-01-01 00:00:00+00'",
        "'infinity'",
        "'-infinity'"
      ]
    },
    {
      column: Column.date,
      type: "DATE",
      values: ["'2024-02-29'", "'0044-03-15 BC'", "'4713-01-01 BC'", "'5874897-12-31'", "'infinity'", "'-infinity'"]
    },
    { column: Column.time, type: "TIME", values: ["'24:00'", "'00:00:00.000001'", "'12:30'"] },
    { column: Column.uuid, type: "TEXT", values: ["'abc'", "''", "'018f3c2e-7b1a-7c3d-9e4f-0123456789AB'"] },
    { column: Column.text, type: "INTERVAL", values: ["'1 month'", "'30 days'", "'-1 day'"] },
    { column: Column.bytes, type: "BYTEA", values: ["''", "'\\x00ff'"] }
  ]
}

const part = (options: Pagination.Options) => Either.getOrThrow(Pagination.make(options))

describeDatabases("Sloppy values", (database) => {
  layer(database.layerEmpty)((it) => {
    for (const { column, type, values } of cases[database.name]) {
      const models = fc.record({
        rows: fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 6 }),
        isDescending: fc.boolean()
      })
      it.effect.prop(
        `of ${type} as ${column.kind} survive their own cursors and filters, or fail with the name of the column`,
        { model: models },
        ({ model: { isDescending, rows } }) =>
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            yield* sql`DROP TABLE IF EXISTS sloppy`
            yield* sql.unsafe(`CREATE TABLE sloppy (id INTEGER PRIMARY KEY, value ${type} NOT NULL)`)
            yield* sql.unsafe(`INSERT INTO sloppy VALUES ${rows.map((row, id) => `(${id}, ${row})`).join(", ")}`)
            const Sloppy = Entity.make("sloppy", { key: "id", columns: { id: Column.integer, value: column } })
            const list = yield* SqlRepository.make(Sloppy)
            const ordered = list.select.order(isDescending ? "Desc" : "Asc", "value")
            const whole = yield* Effect.either(list.paginate(ordered, part({ limit: 10 })))
            if (Either.isLeft(whole)) {
              expect(whole.left).toMatchObject({ _tag: "ForeignValue", table: "sloppy", column: "value" })
              return
            }
            const { items } = whole.right
            expect(items).toHaveLength(rows.length)
            const [forward, backward]: [Array<unknown>, Array<unknown>] = [[], []]
            for (let cursor: string | null = ""; cursor !== null;) {
              const page: Paginated<unknown> = yield* list.paginate(ordered, part({ cursor, limit: 1 }))
              forward.push(...page.items)
              cursor = page.pagination.next
            }
            for (let before: string | null = ""; before !== null;) {
              const page: Paginated<unknown> = yield* list.paginate(ordered, part({ before, limit: 2 }))
              backward.unshift(...page.items)
              before = page.pagination.previous
            }
            expect([forward, backward]).toEqual([items, items])
            for (const { id, value } of items) {
              if (Number.isNaN(value)) continue
              const found = yield* list.paginate(list.select.filter("value", "equal", value))
              expect(found.items.map((item) => item.id)).toContain(id)
            }
            const { items: printed } = JSON.parse(ListFormat.print(whole.right))
            const decoded = yield* Schema.decodeUnknown(Schema.Array(list.schema))(printed)
            expect(JSON.stringify(decoded, ListFormat.replacer)).toBe(JSON.stringify(items, ListFormat.replacer))
          }),
        { fastCheck: { numRuns: 25 } }
      )
    }

    it.effect("of JSON are exact, or fail with the name of the column", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const isPg = database.name === "PostgreSQL"
        yield* sql.unsafe(`CREATE TABLE notes (id INTEGER PRIMARY KEY, value ${isPg ? "JSONB" : "TEXT"} NOT NULL)`)
        yield* sql`INSERT INTO notes VALUES (1, '{"a":[9007199254740992,"90071992547409931"]}')`
        const Notes = Entity.make("notes", {
          key: "id",
          columns: { id: Column.integer, value: Column.json(Schema.Unknown) }
        })
        const list = yield* SqlRepository.make(Notes)
        expect((yield* list.paginate()).items).toEqual([{ id: 1, value: { a: [2 ** 53, "90071992547409931"] } }])
        yield* sql`INSERT INTO notes VALUES (2, '{"a":[9007199254740993]}')`
        expect(yield* Effect.flip(list.paginate())).toMatchObject({ _tag: "ForeignValue", column: "value" })
      })
    )
  })
})

describe("A fault of stored data", () => {
  layer(postgres.layerEmpty)((it) => {
    it.effect("is the server's, not the client's, also where a filter has a value", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE raw (id INTEGER PRIMARY KEY, text TEXT NOT NULL)`
        yield* sql`CREATE TYPE mood AS ENUM ('sad', 'glad')`
        yield* sql`CREATE VIEW cooked AS SELECT id, text::integer AS number, 'sad'::mood AS mood FROM raw`
        yield* sql`INSERT INTO raw VALUES (1, 'none')`
        const Cooked = Entity.make("cooked", {
          key: "id",
          columns: { id: Column.integer, number: Column.integer, mood: Column.text }
        })
        const list = yield* SqlRepository.make(Cooked)
        const filtered = list.select.filter("id", "less", 5)
        for (const selection of [list.select, filtered, filtered.filter("mood", "equal", "sad")]) {
          const cause = yield* Effect.flip(Effect.sandbox(list.paginate(selection)))
          expect([Cause.isDie(cause), Chunk.size(Cause.failures(cause))]).toEqual([true, 0])
        }
        const wrong = filtered.filter("mood", "equal", "angry")
        expect(yield* Effect.flip(list.paginate(wrong))).toMatchObject({ _tag: "InvalidPagination" })
      })
    )
  })
})
