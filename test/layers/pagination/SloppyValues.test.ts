// Whatever the database lets into a column: each list shows all of it in its own cursors and filters, or names the column.
import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Cause, Chunk, Effect, Either, FastCheck as fc, Schema, Stream } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import type { Kind } from "../../../src/pagination/internal/columns/ColumnKind.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as ListFormat from "../../../src/pagination/internal/ListFormat.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as ListQuery from "../../../src/pagination/ListQuery.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import type { Paginated } from "../../../src/pagination/Repository.ts"
import { describeDatabases, type Engine, postgres, sqlite } from "../../support/Databases.ts"
import * as Things from "./Things.ts"

interface Case {
  readonly column: Column.Column<Kind, false>
  readonly type: string
  /** SQL expressions. */
  readonly values: ReadonlyArray<string>
}

const integers = ["0", "-1", "9007199254740993", "9223372036854775807", "-9223372036854775808"]
const sloppy = ["''", "'abc'", "1.5", "12", "x'00ff'", "' 7'", "'1e3'", "9e999", "'12.50'"]

// Bytes that are no text; the second ends within a character, which is as long as U+FFFD.
const broken = ["CAST(x'80' AS TEXT)", "CAST(x'61f09f98' AS TEXT)", "CAST(x'c080' AS TEXT)", "CAST(x'eda080' AS TEXT)"]
const uuids = ["'018f3c2e-7b1a-7c3d-9e4f-0123456789AB'", "'018f3c2e-7b1a-7c3d-9e4f-0123456789ab'"]

const cases: Readonly<Record<Engine, ReadonlyArray<Case>>> = {
  SQLite: [
    { column: Column.integer, type: "INTEGER", values: [...sloppy, "0", "-1", "9007199254740993"] },
    { column: Column.bigint, type: "INTEGER", values: [...sloppy, ...integers] },
    { column: Column.bigint, type: "NUMERIC", values: [...sloppy, ...integers] },
    { column: Column.float, type: "REAL", values: [...sloppy, ...integers, "-0.0", "1e300", "-9e999"] },
    { column: Column.float, type: "DECIMAL(10, 2)", values: [...sloppy, ...integers, "9007199254740994", "1e300"] },
    { column: Column.boolean, type: "BOOLEAN", values: ["0", "1", "2", "'true'", "1.0"] },
    { column: Column.decimal(2), type: "DECIMAL(10, 2)", values: [...sloppy, ...integers, "1250"] },
    { column: Column.text, type: "TEXT", values: [...sloppy, "char(0)", "'é'", "x'ff'"] },
    { column: Column.text, type: "TEXT", values: [...broken, "char(65533)", "'é'", "'日'", "'z'"] },
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
    { column: Column.uuid, type: "UUID", values: [...sloppy, ...uuids] },
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
    { column: Column.uuid, type: "TEXT", values: ["'abc'", "''", ...uuids] },
    { column: Column.uuid, type: "UUID", values: uuids },
    { column: Column.text, type: "TEXT", values: ["U&'\\FFFD'", "'é'", "'日'", "'z'"] },
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
            const forward = Effect.gen(function* () {
              const seen: Array<unknown> = []
              for (let cursor: string | null = ""; cursor !== null;) {
                const page: Paginated<unknown> = yield* list.paginate(ordered, part({ cursor, limit: 1 }))
                seen.push(...page.items)
                cursor = page.pagination.next
              }
              return seen
            })
            const backward = Effect.gen(function* () {
              const seen: Array<unknown> = []
              for (let before: string | null = ""; before !== null;) {
                const page: Paginated<unknown> = yield* list.paginate(ordered, part({ before, limit: 2 }))
                seen.unshift(...page.items)
                before = page.pagination.previous
              }
              return seen
            })
            const walks = yield* Effect.all([Effect.either(forward), Effect.either(backward)])
            const foreign = { _tag: "ForeignValue", table: "sloppy", column: "value" }
            // Each value that is read alone is found by a filter, whatever other rows hold.
            for (const id of rows.keys()) {
              const alone = yield* Effect.either(list.paginate(list.select.filter("id", "equal", id)))
              const [item] = Either.isRight(alone) ? alone.right.items : []
              if (item === undefined) {
                expect(alone).toMatchObject({ left: foreign })
                expect(Either.isLeft(whole)).toBe(true)
                continue
              }
              if (Number.isNaN(item.value)) continue
              const found = yield* Effect.either(list.paginate(list.select.filter("value", "equal", item.value)))
              if (Either.isLeft(found)) expect(found.left).toMatchObject(foreign)
              else expect(found.right.items).toContainEqual(item)
            }
            if (Either.isLeft(whole)) {
              // No walk ends as if it had read every row.
              for (const failed of [whole, ...walks]) expect(failed).toMatchObject({ left: foreign })
              return
            }
            const { items } = whole.right
            expect(items).toHaveLength(rows.length)
            expect(walks).toEqual([Either.right(items), Either.right(items)])
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

    it.effect("of U+FFFD that were stored are read as they are, in a list and in related rows", () =>
      Effect.gen(function* () {
        const columns = {
          id: Column.integer,
          owner: Column.integer,
          text: Column.text,
          value: Column.json(Schema.Unknown)
        }
        const Marks = Entity.make("marks", { key: "id", columns })
        const text = "a\ufffd\ufeffé\ufffd"
        yield* Things.fresh(Marks, [{ id: 1, owner: 1, text, value: { [text]: text } }])
        const marks = yield* SqlRepository.make(Marks, { same: Relation.many(Marks, "owner") })
        const [mark] = (yield* marks.paginate(marks.select.order("Asc", "text"), part({ cursor: "" }))).items
        expect(mark).toMatchObject({ text, value: { [text]: text }, same: [{ text, value: { [text]: text } }] })
      })
    )
  })
})

describe("A text of SQLite that is none", () => {
  layer(sqlite.layerEmpty)((it) => {
    const columns = { id: Column.integer, owner: Column.integer, value: Column.nullable(Column.json(Schema.Unknown)) }
    const Marks = Entity.make("marks", { key: "id", columns })
    const Owners = Entity.make("owners", { key: "id", columns: { id: Column.integer, name: Column.text } })

    it.effect("is a foreign value as JSON, in a related row and in a key", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* Things.create(Marks)
        yield* Things.create(Owners)
        yield* sql`INSERT INTO owners VALUES (1, 'Ann')`
        yield* sql`INSERT INTO marks VALUES (1, 1, CAST(x'2280' || x'22' AS TEXT))`
        const owners = yield* SqlRepository.make(Owners, { marks: Relation.many(Marks, "owner") })
        const failed = { _tag: "ForeignValue", table: "marks", column: "value" }
        expect(yield* Effect.flip(owners.paginate())).toMatchObject(failed)
        const marks = yield* SqlRepository.make(Marks, { owner_row: Relation.one(Owners, "owner") })
        expect(yield* Effect.flip(marks.paginate())).toMatchObject(failed)
        yield* sql`UPDATE marks SET value = NULL`
        yield* sql`UPDATE owners SET name = CAST(x'ff' AS TEXT)`
        expect(yield* Effect.flip(marks.paginate())).toMatchObject({ _tag: "ForeignValue", table: "owners" })
        yield* sql`CREATE TABLE words (word TEXT PRIMARY KEY NOT NULL)`
        yield* sql`INSERT INTO words VALUES ('z'), (CAST(x'80' AS TEXT)), ('é'), ('日')`
        const words = yield* SqlRepository.make(Entity.make("words", { key: "word", columns: { word: Column.text } }))
        const walked = Stream.runCollect(words.stream(undefined, { batch: 1 }))
        expect(yield* Effect.flip(walked)).toMatchObject({ _tag: "ForeignValue", table: "words", column: "word" })
      })
    )

    it.effect("is told from U+FFFD in a database of UTF-16, too", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`PRAGMA encoding = 'UTF-16le'`
        yield* Things.create(Owners)
        yield* sql`INSERT INTO owners VALUES (1, ${"é\ufffd日"})`
        expect(yield* sql`PRAGMA encoding`).toEqual([{ encoding: "UTF-16le" }])
        const owners = yield* SqlRepository.make(Owners)
        expect((yield* owners.paginate()).items).toEqual([{ id: 1, name: "é\ufffd日" }])
        yield* sql`INSERT INTO owners VALUES (2, CAST(x'00d8' AS TEXT))`
        expect(yield* Effect.flip(owners.paginate())).toMatchObject({ _tag: "ForeignValue", column: "name" })
      }).pipe(Effect.provide(sqlite.layerEmpty))
    )
  })
})

describe("JSON in a column of SQLite that has numbers", () => {
  layer(sqlite.layerEmpty)((it) => {
    it.effect("is exact, or fails with the name of the column", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE notes (id INTEGER PRIMARY KEY, value JSON NOT NULL)`
        const notes = yield* SqlRepository.make(
          Entity.make("notes", { key: "id", columns: { id: Column.integer, value: Column.json(Schema.Unknown) } })
        )
        const stored = [
          "12",
          "1e300",
          "9007199254740992",
          "1152921504606846976",
          '"12"',
          '"\ufffd"',
          "-0.5",
          '{"a":12}'
        ]
        for (const [id, text] of stored.entries()) yield* sql`INSERT INTO notes VALUES (${id}, ${text})`
        const { items } = yield* notes.paginate(notes.select.order("Asc", "id"), part({ limit: 100 }))
        expect(items.map(({ value }) => value)).toEqual(stored.map((text) => JSON.parse(text)))
        for (const text of ["9007199254740993", "9223372036854775807", "-9007199254740993"]) {
          yield* sql`INSERT INTO notes VALUES (100, ${text})`
          expect(yield* sql`SELECT typeof(value) AS type FROM notes WHERE id = 100`).toEqual([{ type: "integer" }])
          expect(yield* Effect.flip(notes.paginate())).toMatchObject({ _tag: "ForeignValue", column: "value" })
          yield* sql`DELETE FROM notes WHERE id = 100`
        }
      })
    )
  })
})

describe("A filter on a column of SQLite with a foreign value", () => {
  layer(sqlite.layerEmpty)((it) => {
    const Events = Entity.make("events", { key: "id", columns: { id: Column.integer, at: Column.timestamp } })

    it.effect("compares it as SQLite does, as the guide says, and a CHECK keeps it out", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const check = "CHECK (at GLOB '????-??-??T??:??:??.??????Z')"
        for (const constraint of ["", check]) {
          yield* sql`DROP TABLE IF EXISTS events`
          yield* sql.unsafe(`CREATE TABLE events (id INTEGER PRIMARY KEY, at TEXT NOT NULL ${constraint})`)
          const events = yield* SqlRepository.make(Events)
          yield* sql`INSERT INTO events VALUES (1, '2024-02-29T12:00:00.000000Z')`
          const added = yield* Effect.either(sql`INSERT INTO events VALUES (2, '2024-02-29 13:00:00')`)
          expect(Either.isLeft(added)).toBe(constraint !== "")
          const morning = "2024-02-29T09:00:00.000000Z"
          const after = yield* events.paginate(events.select.filter("at", "greater", morning))
          expect(after.items.map(({ id }) => id)).toEqual([1])
          const failure = { _tag: "ForeignValue", table: "events", column: "at" }
          const before = events.paginate(events.select.filter("at", "less", morning))
          for (const read of [
            Effect.asVoid(events.paginate()),
            Effect.asVoid(before),
            Stream.runDrain(events.stream())
          ]) {
            const outcome = yield* Effect.either(read)
            if (constraint === "") expect(outcome).toMatchObject({ left: failure })
            else expect(outcome).toEqual(Either.void)
          }
        }
      })
    )
  })
})

describeDatabases("A decimal filter that is finer than its column", (database) => {
  layer(database.layerEmpty)((it) => {
    const Prices = Entity.make("prices", { key: "id", columns: { id: Column.integer, price: Column.decimal(2) } })
    const prices = ["-92233720368547758.08", "-0.01", "0.00", "12.50", "45035996273704.97", "92233720368547758.07"]
    const operands = [
      ...prices.flatMap((price) => [price, `${price}1`, `${price}999`]),
      "-0.001",
      "12.505",
      "12.5",
      "12",
      "92233720368547758.08",
      `-${"9".repeat(60)}`,
      "1".repeat(60),
      "NaN",
      "Infinity",
      "-Infinity"
    ]
    // Digits as one whole number, and what lies beyond all of them.
    const units = (text: string): bigint | number => {
      if (text === "NaN") return Infinity
      if (text.endsWith("Infinity")) return Number(text)
      const [whole = "", fraction = ""] = text.split(".")
      return BigInt(`${whole}${fraction.padEnd(10, "0")}`)
    }

    it.effect("finds the same rows on both databases, and never fails", () =>
      Effect.gen(function* () {
        yield* Things.fresh(
          Prices,
          prices.map((price, id) => ({ id, price }))
        )
        const list = yield* SqlRepository.make(Prices)
        const found = (selection: typeof list.select) =>
          Effect.map(list.paginate(selection.order("Asc", "id")), ({ items }) => items.map(({ price }) => price))
        const right = (holds: (price: bigint | number) => boolean) => prices.filter((price) => holds(units(price)))
        for (const operand of operands) {
          const given = units(operand)
          const isSame = (price: bigint | number) => !(price < given) && !(price > given)
          for (const [operator, holds] of [
            ["less", (price: bigint | number) => price < given],
            ["lessOrEqual", (price: bigint | number) => price <= given],
            ["greater", (price: bigint | number) => price > given],
            ["greaterOrEqual", (price: bigint | number) => price >= given],
            ["equal", isSame],
            ["unequal", (price: bigint | number) => !isSame(price)]
          ] as const) {
            const rows = yield* found(list.select.filter("price", operator, operand))
            expect([operator, operand, rows]).toEqual([operator, operand, right(holds)])
          }
          const between = yield* found(list.select.filter("price", "between", ["-0.005", operand]))
          expect(between).toEqual(right((price) => price >= units("-0.005") && price <= given))
          expect(yield* found(list.select.filter("price", "in", [operand, "12.50"]))).toEqual(
            right((price) => isSame(price) || price === units("12.50"))
          )
        }
      })
    )
  })
})

describeDatabases("A UUID in capitals", (database) => {
  layer(database.layerEmpty)((it) => {
    const small = "018f3c2e-7b1a-7c3d-9e4f-0123456789ab"
    for (const type of ["TEXT", "UUID"]) {
      it.effect(`is the one in small letters, in filters, cursors and relations of ${type}`, () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          for (const table of ["refs", "docs"]) yield* sql.unsafe(`DROP TABLE IF EXISTS ${table}`)
          yield* sql.unsafe(`CREATE TABLE docs (id ${type} PRIMARY KEY NOT NULL)`)
          yield* sql`CREATE TABLE refs (id INTEGER PRIMARY KEY, doc TEXT NOT NULL)`
          yield* sql.unsafe(`INSERT INTO docs VALUES ('${small}'), ('ffffffff-7b1a-7c3d-9e4f-0123456789ab')`)
          yield* sql.unsafe(`INSERT INTO refs VALUES (1, '${small.toUpperCase()}'), (2, '${small}')`)
          const Docs = Entity.make("docs", { key: "id", columns: { id: Column.uuid } })
          const Refs = Entity.make("refs", { key: "id", columns: { id: Column.integer, doc: Column.text } })
          const docs = yield* SqlRepository.make(Docs)
          const capitals = small.toUpperCase()
          const parameters = ListQuery.make(Docs, { filters: { id: { column: "id" } } })
          const { selection } = yield* parameters.decodeValues({ id: capitals })
          for (const one of [
            selection,
            docs.select.filter("id", "equal", capitals),
            docs.select.filter("id", "in", [capitals])
          ]) {
            expect((yield* docs.paginate(one)).items).toEqual([{ id: small }])
          }
          const cursor = Buffer.from(JSON.stringify([capitals])).toString("base64url")
          expect((yield* docs.paginate(docs.select, part({ cursor }))).items).toHaveLength(1)
          const refs = yield* SqlRepository.make(Refs, { of: Relation.one(Docs, "doc") })
          const { items } = yield* refs.paginate(refs.select.order("Asc", "id"))
          expect(items.map((item) => item.of)).toEqual([{ id: small }, { id: small }])
        })
      )
    }
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
