import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Either, Layer, Schema } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as ListFormat from "../../../src/pagination/internal/ListFormat.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import type { Paginated } from "../../../src/pagination/Repository.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { spied, statementsOf } from "./Spy.ts"

const Size = Schema.Struct({ width: Schema.Number, made: Schema.optional(Schema.DateFromString) })
const Wares = Entity.make("wares", {
  key: "code",
  columns: {
    code: Column.bytes,
    state: Column.literal("sad", "glad"),
    price: Column.decimal(2),
    old_price: Column.nullable(Column.decimal(2)),
    day: Column.date,
    opens: Column.time,
    size: Column.json(Size),
    extra: Column.nullable(Column.json(Schema.Unknown))
  }
})
const Days = Entity.make("days", { key: "day", columns: { day: Column.date, name: Column.text } })

const part = (options: Parameters<typeof Pagination.make>[0]) => Either.getOrThrow(Pagination.make(options))

describeDatabases("The kinds of a column", (database) => {
  const isPg = database.name === "PostgreSQL"
  const ready = Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      if (isPg) {
        yield* sql`CREATE TYPE state AS ENUM ('sad', 'glad')`
        yield* sql`CREATE TABLE wares (code BYTEA PRIMARY KEY, state state NOT NULL, price NUMERIC(20, 2) NOT NULL,
          old_price NUMERIC(20, 2), day DATE NOT NULL, opens TIME NOT NULL, size JSONB NOT NULL, extra JSON)`
        yield* sql`CREATE TABLE days (day DATE PRIMARY KEY, name TEXT NOT NULL)`
        // Dates are read alike whatever the connection prefers.
        yield* sql`SET datestyle TO 'German'`
      } else {
        yield* sql`CREATE TABLE wares (code BLOB PRIMARY KEY NOT NULL, state TEXT NOT NULL, price INTEGER NOT NULL,
          old_price INTEGER, day TEXT NOT NULL, opens TIME NOT NULL, size TEXT NOT NULL, extra JSON)`
        yield* sql`CREATE TABLE days (day DATE PRIMARY KEY NOT NULL, name TEXT NOT NULL)`
      }
      yield* sql`INSERT INTO days VALUES ('2024-02-28', 'first'), ('2024-02-29', 'second')`
      const money = (text: string) => (isPg ? text : BigInt(text.replace(".", "")))
      for (const [byte, state, price, old, day, opens, size, extra] of [
        [1, "glad", "9.99", null, "2024-02-29", "12:30:00.000001", '{"width":2}', null],
        [
          2,
          "sad",
          "10.00",
          "10.50",
          "2024-02-28",
          "09:00:00.000000",
          '{"width":1,"made":"2024-02-29T00:00:00.000Z"}',
          "[1,{}]"
        ],
        [255, "sad", "-0.01", "9.00", "2024-02-29", "24:00:00.000000", '{"width":3}', '"text"']
      ] as const) {
        const values = [
          Buffer.from([byte, 0]),
          state,
          money(price),
          old === null ? null : money(old),
          day,
          opens,
          size,
          extra
        ]
        const places = values.map((_, index) => (isPg ? `$${index + 1}` : "?")).join(", ")
        yield* sql.unsafe(`INSERT INTO wares VALUES (${places})`, values)
      }
    })
  ).pipe(Layer.provideMerge(spied(database.layerEmpty)))

  layer(ready)((it) => {
    it.effect("are typed in an item, and exact in JSON", () =>
      Effect.gen(function* () {
        const wares = yield* SqlRepository.make(Wares, { on: Relation.one(Days, "day") })
        const page = yield* wares.paginate(wares.select.order("Asc", "price"))
        const [cheap, , dear] = page.items
        expect(page.items.map((ware) => ware.price)).toEqual(["-0.01", "9.99", "10.00"])
        expect(cheap?.code).toEqual(new Uint8Array([255, 0]))
        expect(dear?.size.made).toEqual(new Date("2024-02-29"))
        expect(dear).toMatchObject({ state: "sad", old_price: "10.50", extra: [1, {}], on: { name: "first" } })
        expect(JSON.parse(ListFormat.print(page))["items"][2]).toEqual({
          code: "AgA=",
          state: "sad",
          price: "10.00",
          old_price: "10.50",
          day: "2024-02-28",
          opens: "09:00:00.000000",
          size: { width: 1, made: "2024-02-29T00:00:00.000Z" },
          extra: [1, {}],
          on: { day: "2024-02-28", name: "first" }
        })
        const decoded = yield* Schema.decodeUnknown(Schema.Array(wares.schema))(
          JSON.parse(ListFormat.print(page))["items"]
        )
        expect(decoded).toEqual(page.items)
      })
    )

    it.effect("filter by values of their types, and refuse what they cannot hold before any query", () =>
      Effect.gen(function* () {
        const wares = yield* SqlRepository.make(Wares)
        const { select } = wares
        const find = (selection: typeof select) =>
          Effect.map(wares.paginate(selection.order("Asc", "code")), ({ items }) => items.map((ware) => ware.code[0]))
        expect(yield* find(select.filter("code", "equal", new Uint8Array([2, 0])))).toEqual([2])
        expect(yield* find(select.filter("code", "greater", new Uint8Array([2])))).toEqual([2, 255])
        expect(yield* find(select.filter("state", "in", ["sad"]))).toEqual([2, 255])
        expect(yield* find(select.filter("price", "less", "9.99"))).toEqual([255])
        expect(yield* find(select.filter("price", "lessOrEqual", "9.99"))).toEqual([1, 255])
        expect(yield* find(select.filter("old_price", "greater", "9"))).toEqual([2])
        expect(yield* find(select.filter("day", "between", ["2024-02-29", "9999-12-31"]))).toEqual([1, 255])
        expect(yield* find(select.filter("opens", "greater", "12:30:00.000000"))).toEqual([1, 255])
        expect(yield* find(select.filter("extra", "isNull"))).toEqual([1])
        for (const selection of [
          select.filter("price", "less", "cheap"),
          select.filter("day", "equal", "2024-02-30"),
          select.filter("opens", "equal", "noon")
        ]) {
          const [error, statements] = yield* statementsOf(Effect.flip(wares.paginate(selection)))
          expect([error._tag, statements]).toEqual(["InvalidPagination", []])
        }
        // More digits than the column has, and numbers past 64 bits, on both databases alike.
        for (const [operator, price, found] of [
          ["less", "9.999", [1, 255]],
          ["lessOrEqual", "9.999", [1, 255]],
          ["greaterOrEqual", "9.9900001", [2]],
          ["equal", "9.990", [1]],
          ["equal", "9.991", []],
          ["unequal", "9.991", [1, 2, 255]],
          ["greater", "-0.011", [1, 2, 255]],
          ["greater", "-0.009", [1, 2]],
          ["less", "92233720368547758.08", [1, 2, 255]],
          ["greater", "-9".padEnd(60, "9"), [1, 2, 255]]
        ] as const) {
          expect([operator, price, yield* find(select.filter("price", operator, price))]).toEqual([
            operator,
            price,
            found
          ])
        }
      })
    )

    it.effect("lead from cursor to cursor, in both directions", () =>
      Effect.gen(function* () {
        const wares = yield* SqlRepository.make(Wares)
        const all = wares.select
        for (const selection of [
          all.order("Asc", "price"),
          all.order("Desc", "old_price", "First"),
          all.order("Desc", "day").order("Asc", "opens"),
          all.order("Asc", "state"),
          all.order("Desc", "code")
        ]) {
          const whole = yield* wares.paginate(selection, part({ limit: 10 }))
          const seen: Array<unknown> = []
          for (let cursor: string | null = ""; cursor !== null;) {
            const page: Paginated<unknown> = yield* wares.paginate(selection, part({ cursor, limit: 1 }))
            seen.push(...page.items)
            cursor = page.pagination.next
          }
          expect(seen).toEqual(whole.items)
          const last = yield* wares.paginate(selection, part({ before: "", limit: 1 }))
          const back = yield* wares.paginate(selection, part({ before: last.pagination.previous, limit: 2 }))
          expect([...back.items, ...last.items]).toEqual(whole.items)
        }
      })
    )

    it.effect("tell empty bytes from none, in an item and in a cursor", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const Scans = Entity.make("scans", {
          key: "id",
          columns: { id: Column.integer, image: Column.nullable(Column.bytes) }
        })
        yield* sql.unsafe(`CREATE TABLE scans (id INTEGER PRIMARY KEY, image ${isPg ? "BYTEA" : "BLOB"})`)
        const place = isPg ? "$1" : "?"
        yield* sql.unsafe(`INSERT INTO scans VALUES (1, NULL), (2, ${place})`, [Buffer.alloc(0)])
        const scans = yield* SqlRepository.make(Scans)
        const list = scans.select.order("Asc", "image", "First")
        const first = yield* scans.paginate(list, part({ cursor: "", limit: 1 }))
        const second = yield* scans.paginate(list, part({ cursor: first.pagination.next, limit: 1 }))
        expect([first.items[0]?.image, second.items[0]?.image]).toEqual([null, new Uint8Array()])
      })
    )

    it.effect("have no order and no key of JSON", () =>
      Effect.gen(function* () {
        const wares = yield* SqlRepository.make(Wares)
        // @ts-expect-error -- JSON is not ordered
        expect(() => wares.select.order("Asc", "size")).toThrow('"size" holds JSON, which has no order')
        // @ts-expect-error -- nor compared
        expect(() => wares.select.filter("extra", "equal", 1)).toThrow("extra")
        const columns = { id: Column.json(Schema.Unknown) }
        expect(() => Entity.make("x", { key: "id", columns })).toThrow("x.id holds JSON, which cannot be a key")
        expect(() => Column.decimal(1.5)).toThrow("a whole number from 0 to 18")
      })
    )
  })
})
