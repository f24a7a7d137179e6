// Entities of a schema, on both databases: items and operands have the schema's types, JSON and cursors the encoded values.
import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import {
  BigDecimal,
  Cause,
  DateTime,
  Effect,
  type Either,
  FastCheck as fc,
  Layer,
  Option,
  Schema,
  Stream
} from "effect"
import * as Export from "../../../app/commands/Export.ts"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as ListRoute from "../../../routes/pagination/ListRoute.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as ListFormat from "../../../src/pagination/internal/ListFormat.ts"
import * as ListQuery from "../../../src/pagination/ListQuery.ts"
import * as ListBody from "../../../src/pagination/ListBody.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import { describeDatabases, type Engine, sqlite } from "../../support/Databases.ts"
import * as Things from "./Things.ts"

const PotterId = Schema.UUID.pipe(Schema.brand("PotterId"))
const CupId = Schema.Int.pipe(Schema.brand("CupId"))

const Potter = Entity.fromSchema("potters", {
  key: "id",
  schema: Schema.Struct({ id: PotterId, name: Schema.NonEmptyString.pipe(Schema.brand("Name")) })
})
const Cup = Entity.fromSchema("cups", {
  key: "id",
  schema: Schema.Struct({
    id: CupId,
    glaze: Schema.Literal("matt", "gloss"),
    made_at: Schema.DateTimeUtc,
    note: Schema.OptionFromNullOr(Schema.String),
    serial: Schema.BigInt,
    is_sold: Schema.Boolean,
    potter_id: PotterId
  })
})

const ann = PotterId.make("11111111-1111-4111-8111-111111111111")
const spellings: Readonly<Record<Engine, ReadonlyArray<string>>> = {
  // Two cups of one millisecond: a cursor made of the decoded moment would lose one of them.
  PostgreSQL: ["2024-02-29T12:00:00.000001Z", "2024-02-29T12:00:00.000002Z", "2024-03-01T00:00:00.000000Z"],
  // SQLite compares texts: moments are spelled as the schema spells them.
  SQLite: ["2024-02-29T12:00:00.000Z", "2024-02-29T12:00:00.000Z", "2024-03-01T00:00:00.000Z"]
}

const filled = (moments: ReadonlyArray<string>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const type = (pg: string, sqlite: string) =>
        sql.literal(sql.onDialectOrElse({ pg: () => pg, orElse: () => sqlite }))
      yield* sql`CREATE TABLE potters (id ${type("UUID", "TEXT")} NOT NULL PRIMARY KEY, name TEXT NOT NULL)`
      yield* sql`CREATE TABLE cups (id INTEGER NOT NULL PRIMARY KEY, glaze TEXT NOT NULL,
      made_at ${type("TIMESTAMPTZ", "TEXT")} NOT NULL, note TEXT, serial BIGINT NOT NULL,
      is_sold ${type("BOOLEAN", "INTEGER")} NOT NULL, potter_id ${type("UUID", "TEXT")} NOT NULL)`
      yield* sql`INSERT INTO potters (id, name) VALUES (${ann}, 'Ann')`
      for (const [index, moment] of moments.entries()) {
        yield* sql`INSERT INTO cups VALUES (${index + 1}, ${index === 0 ? "matt" : "gloss"}, ${moment},
        ${index === 1 ? "cracked" : null}, ${2n ** 60n + BigInt(index)}, ${sql.literal(
          sql.onDialectOrElse({ pg: () => "FALSE", orElse: () => "0" })
        )}, ${ann})`
      }
    })
  )

describeDatabases("An entity of a schema", (database) => {
  const moments = spellings[database.name]
  const relations = { potter: Relation.one(Potter, "potter_id") }
  const repository = SqlRepository.make(Cup, relations)
  const potters = SqlRepository.make(Potter, { cups: Relation.many(Cup, "potter_id") })

  layer(Layer.provideMerge(filled(moments), database.layerEmpty))((it) => {
    it.effect("gives items of the schema's types, with their relations", () =>
      Effect.gen(function* () {
        const cups = yield* repository
        const { items } = yield* cups.paginate(cups.select.order("Asc", "made_at"))
        const [, second] = items
        expect(second).toEqual({
          id: CupId.make(2),
          glaze: "gloss",
          made_at: DateTime.unsafeMake("2024-02-29T12:00:00.000Z"),
          note: Option.some("cracked"),
          serial: 2n ** 60n + 1n,
          is_sold: false,
          potter_id: ann,
          potter: { id: ann, name: "Ann" }
        })
        expect(items.map(({ note }) => Option.isSome(note))).toEqual([false, true, false])
        expect(items.every((item) => Object.isFrozen(item) && Object.isFrozen(item.potter))).toBe(true)
        const [potter] = (yield* (yield* potters).paginate()).items
        expect(potter?.cups.map(({ made_at }) => DateTime.isUtc(made_at))).toEqual([true, true, true])
      })
    )

    it.effect("filters by operands of the schema's types", () =>
      Effect.gen(function* () {
        const cups = yield* repository
        const ids = (selection: typeof cups.select) =>
          Effect.map(cups.paginate(selection), ({ items }) => items.map(({ id }) => Number(id)))
        const march = DateTime.unsafeMake("2024-03-01T00:00:00Z")
        expect(yield* ids(cups.select.filter("id", "equal", CupId.make(2)))).toEqual([2])
        expect(yield* ids(cups.select.filter("made_at", "less", march))).toEqual([1, 2])
        expect(yield* ids(cups.select.filter("glaze", "in", ["gloss"]))).toEqual([2, 3])
        expect(yield* ids(cups.select.filter("serial", "equal", 2n ** 60n))).toEqual([1])
        expect(yield* ids(cups.select.filter("note", "equal", Option.some("cracked")))).toEqual([2])
        expect(yield* ids(cups.select.filter("is_sold", "isTrue"))).toEqual([])
        expect(yield* ids(cups.select.filter("potter_id", "equal", ann).match("glaze", "like", "g%"))).toEqual([2, 3])
      })
    )

    it.effect("reads every row once by cursors that keep microseconds", () =>
      Effect.gen(function* () {
        const cups = yield* repository
        const seen: Array<number> = []
        let wanted: Either.Either<Pagination.Pagination, Pagination.InvalidPagination> = Pagination.make({
          cursor: "",
          limit: 1
        })
        for (let more = true; more;) {
          const { items, pagination } = yield* cups.paginate(cups.select.order("Asc", "made_at"), yield* wanted)
          seen.push(...items.map(({ id }) => id))
          more = pagination.more
          wanted = Pagination.make({ cursor: pagination.next, limit: 1 })
        }
        expect(seen).toEqual([1, 2, 3])
      })
    )

    it.effect("exports the rows as the database holds them, related ones included", () =>
      Effect.gen(function* () {
        const cups = yield* repository
        const [cup] = yield* Stream.runCollect(cups.stream())
        const { row } = Export.encoding(cups.schema, "ndjson", { escapeFormulas: false })
        expect(JSON.parse(row(cup))).toMatchObject({ id: 1, made_at: moments[0], serial: `${2n ** 60n}` })
        const [potter] = yield* Stream.runCollect((yield* potters).stream())
        const table = Export.encoding((yield* potters).schema, "csv", { escapeFormulas: false })
        expect(table.row(potter)).toContain(`""made_at"":""${moments[0]}""`)
      })
    )

    it.effect("responds with the encoded values, which the schema reads back", () =>
      Effect.gen(function* () {
        const cups = yield* repository
        const route = HttpLayerRouter.route(
          "GET",
          "/cups",
          ListRoute.respond(cups, cups.select.order("Asc", "made_at"))
        )
        const { dispose, handler } = HttpLayerRouter.toWebHandler(HttpLayerRouter.addAll([route]), {
          disableLogger: true
        })
        const get = (accept: string) =>
          Effect.promise(() =>
            handler(new Request("http://localhost/cups?limit=1", { headers: { accept } })).then((one) => one.text())
          )
        const json: unknown = JSON.parse(yield* get("application/json"))
        expect(json).toMatchObject({
          items: [
            {
              id: 1,
              made_at: moments[0],
              note: null,
              serial: `${2n ** 60n}`,
              is_sold: false,
              potter: { id: ann, name: "Ann" }
            }
          ]
        })
        const { items } = yield* Schema.decodeUnknown(ListBody.Page(cups.schema))(json)
        expect(items).toEqual((yield* cups.paginate(cups.select.order("Asc", "made_at"))).items.slice(0, 1))
        expect(yield* get("application/xml")).toContain(`<made_at>${moments[0]}</made_at><note nil="true"/>`)
        yield* Effect.promise(dispose)
      })
    )

    it.effect("fails with the name of the column whose value the schema refuses, also in a related row", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const cups = yield* repository
        yield* sql`UPDATE cups SET glaze = 'secret' WHERE id = 3`
        yield* sql`UPDATE cups SET made_at = 'infinity' WHERE id = 2`
        const part = yield* Pagination.make({ cursor: "" })
        for (const [id, column] of [
          [3, "glaze"],
          [2, "made_at"]
        ] as const) {
          const selection = cups.select.filter("id", "equal", CupId.make(id))
          const related = (yield* potters).paginate()
          for (const read of [cups.paginate(selection), cups.paginate(selection, part), cups.stream(selection)]) {
            const cause = yield* Effect.flip(Effect.sandbox(Effect.isEffect(read) ? read : Stream.runDrain(read)))
            expect([...Cause.failures(cause)]).toMatchObject([{ _tag: "ForeignValue", table: "cups", column }])
            expect(Cause.pretty(cause)).not.toContain("secret")
          }
          expect(yield* Effect.flip(related)).toMatchObject({ _tag: "ForeignValue", table: "cups" })
        }
      })
    )

    it.effect("is compared with its table", () =>
      Effect.gen(function* () {
        const Wrong = Entity.fromSchema("cups", {
          key: "id",
          schema: Schema.Struct({ id: Schema.Number, note: Schema.String })
        })
        const mismatch = yield* Effect.flip(SqlRepository.make(Wrong))
        expect(mismatch.message).toContain("id is declared as float")
        expect(mismatch.message).toContain("note is declared as text, never null")
      })
    )
  })
})

const Price = Schema.BigDecimal.pipe(Schema.brand("Price"))
const Day = Schema.String.annotations({ jsonSchema: { type: "string", format: "date" } }).pipe(Schema.brand("Day"))
const Offer = Entity.fromSchema("offers", {
  key: "code",
  scales: { price: 2 },
  schema: Schema.Struct({
    code: Schema.Uint8ArrayFromBase64,
    price: Price,
    day: Schema.NullOr(Day),
    opens: Schema.String.annotations({ jsonSchema: { format: "time" } }),
    state: Schema.Literal("open", "closed"),
    sizes: Schema.Array(Schema.NumberFromString)
  })
})

describeDatabases("An entity of a schema with other kinds", (database) => {
  layer(database.layerEmpty)((it) => {
    it.effect("reads, orders and filters decimals, dates, times, bytes and JSON as their schema's types", () =>
      Effect.gen(function* () {
        expect(Object.values(Offer.columns).map(({ kind }) => kind)).toEqual([
          "bytes",
          "decimal",
          "date",
          "time",
          "text",
          "json"
        ])
        const day = Day.make("2024-02-29")
        yield* Things.fresh(
          Offer,
          ["9.50", "10.25", "100.00"].map((price, index) => ({
            code: Buffer.from([index]).toString("base64"),
            price,
            day: index === 0 ? null : day,
            opens: "09:30:00.000000",
            state: "open",
            sizes: ["1", "2"]
          }))
        )
        const list = yield* SqlRepository.make(Offer)
        const dear = list.select
          .filter("price", "greater", Price.make(BigDecimal.unsafeFromString("9.6")))
          .filter("day", "equal", day)
          .order("Desc", "price")
        const first = yield* list.paginate(dear, yield* Pagination.make({ cursor: "", limit: 1 }))
        expect(first.items.map((item) => ({ ...item, price: BigDecimal.format(item.price) }))).toEqual([
          {
            code: new Uint8Array([2]),
            price: "100",
            day,
            opens: "09:30:00.000000",
            state: "open",
            sizes: [1, 2]
          }
        ])
        const next = yield* list.paginate(dear, yield* Pagination.make({ cursor: first.pagination.next, limit: 5 }))
        expect(next.items.map(({ price }) => BigDecimal.format(price))).toEqual(["10.25"])
      })
    )
  })
})

const Tick = Entity.fromSchema("ticks", {
  key: "id",
  schema: Schema.Struct({ id: Schema.Int, at: Schema.DateTimeUtc })
})
const Clock = Entity.make("clocks", { key: "id", columns: { id: Column.integer, tick_id: Column.integer } })

describeDatabases("A timestamp of a schema", (database) => {
  const isSqlite = database.name === "SQLite"
  // SQLite has the digits that the schema writes.
  const unit = isSqlite ? 1000 : 1
  const at = (micros: number): string =>
    `2024-02-29T12:00:0${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, "0")}Z`
  const stored = (micros: number): string => (isSqlite ? at(micros).replace("000Z", "Z") : at(micros))
  const micros = fc.integer({ min: 0, max: 3_000_000 })
  const near = fc
    .integer({ min: 0, max: 3 })
    .chain((step) => fc.integer({ min: -1001, max: 1001 }).map((distance) => Math.max(0, step * 1000 + distance)))
  const operators = {
    equal: (left: number, right: number) => left === right,
    unequal: (left: number, right: number) => left !== right,
    less: (left: number, right: number) => left < right,
    lessOrEqual: (left: number, right: number) => left <= right,
    greater: (left: number, right: number) => left > right,
    greaterOrEqual: (left: number, right: number) => left >= right
  } as const

  layer(database.layerEmpty)((it) => {
    const filled = (moments: ReadonlyArray<number>) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`DROP TABLE IF EXISTS ticks`
        yield* sql.unsafe(
          `CREATE TABLE ticks (id INTEGER PRIMARY KEY, at ${isSqlite ? "TEXT" : "TIMESTAMPTZ"} NOT NULL)`
        )
        const rows = moments.map((moment, id) => `(${id}, '${stored(moment)}')`)
        yield* sql.unsafe(`INSERT INTO ticks VALUES ${rows.join(", ")}`)
        return yield* SqlRepository.make(Tick)
      })

    it.effect.prop(
      "is found by the text that the JSON of its list shows, and by any other as it is in time",
      { given: fc.array(fc.oneof(micros, near), { minLength: 1, maxLength: 5 }), other: fc.oneof(micros, near) },
      ({ given, other }) =>
        Effect.gen(function* () {
          const moments = given.map((moment) => moment - (moment % unit))
          const ticks = yield* filled(moments)
          const shown: ReadonlyArray<{ readonly id: number; readonly at: string }> = JSON.parse(
            ListFormat.print(yield* ticks.paginate(ticks.select.order("Asc", "id")))
          ).items
          for (const [text, moment] of [
            [at(other), other] as const,
            ...shown.map((tick) => [tick.at, moments[tick.id] ?? NaN] as const)
          ]) {
            for (const operator of Object.keys(operators) as Array<keyof typeof operators>) {
              const { decodeValues } = ListQuery.make(Tick, { filters: { at: { column: "at", operator } } })
              const { selection } = yield* decodeValues({ at: text })
              const found = (yield* ticks.paginate(selection)).items.map(({ id }) => Number(id))
              const right = moments.flatMap((one, id) => (operators[operator](one, moment) ? [id] : []))
              expect([operator, text, found]).toEqual([operator, text, right])
            }
          }
        }),
      { fastCheck: { numRuns: 25 } }
    )

    it.effect("is the same in the filters and orders of a relation", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* filled([2000, 1000, 3000])
        yield* sql`DROP TABLE IF EXISTS clocks`
        yield* sql`CREATE TABLE clocks (id INTEGER PRIMARY KEY, tick_id INTEGER NOT NULL)`
        yield* sql`INSERT INTO clocks VALUES (1, 0), (2, 1), (3, 2)`
        const tick = Relation.one(Tick, "tick_id")
        const clocks = yield* SqlRepository.make(Clock, { tick })
        const second = DateTime.unsafeMake(stored(2000))
        const late = clocks.select
          .exists(tick, (ticks) => ticks.filter("at", "greaterOrEqual", second))
          .orderBy("Desc", tick, "at")
        const first = yield* clocks.paginate(late, yield* Pagination.make({ cursor: "", limit: 1 }))
        const rest = yield* clocks.paginate(late, yield* Pagination.make({ cursor: first.pagination.next, limit: 5 }))
        expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual([3, 1])
        const ofTick = yield* SqlRepository.make(Clock, {
          same: Relation.many(Tick, "id", { selection: (ticks) => ticks.filter("at", "equal", second) })
        })
        yield* sql`INSERT INTO clocks VALUES (0, 0)`
        const [whole] = (yield* ofTick.paginate(ofTick.select.order("Asc", "id"))).items
        expect(whole?.same.map(({ id }) => id)).toEqual([0])
      })
    )
  })
})

describe("A timestamp of a schema in SQLite", () => {
  layer(sqlite.layerEmpty)((it) => {
    it.effect("has the digits that the schema writes, also as the default that the start advises", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const created = (preset: string) =>
          Effect.gen(function* () {
            yield* sql`DROP TABLE IF EXISTS ticks`
            yield* sql.unsafe(`CREATE TABLE ticks (id INTEGER PRIMARY KEY, at TEXT NOT NULL DEFAULT ${preset})`)
            return yield* SqlRepository.make(Tick)
          })
        const refused = yield* Effect.flip(created("CURRENT_TIMESTAMP"))
        const [, advised = ""] = /use (\(strftime.*\))\.$/.exec(refused.message) ?? []
        const ticks = yield* created(advised)
        yield* sql`INSERT INTO ticks (id) VALUES (1)`
        const [tick] = (yield* ticks.paginate()).items
        if (tick === undefined) throw new Error("the row is not listed")
        for (const operator of ["equal", "greaterOrEqual", "lessOrEqual"] as const) {
          expect((yield* ticks.paginate(ticks.select.filter("at", operator, tick.at))).items).toEqual([tick])
        }
        yield* sql`INSERT INTO ticks VALUES (2, '2024-02-29T12:00:00.000000Z')`
        expect(yield* Effect.flip(ticks.paginate())).toMatchObject({
          _tag: "ForeignValue",
          table: "ticks",
          column: "at"
        })
      })
    )
  })
})
