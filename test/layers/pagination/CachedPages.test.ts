import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Either, Layer, Schema } from "effect"
import { setTimeout } from "node:timers/promises"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as ListFormat from "../../../src/pagination/internal/ListFormat.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import { describeDatabases, sqlite, TestDatabase } from "../../support/Databases.ts"
import { spied, statementsOf } from "./Spy.ts"
import * as Things from "./Things.ts"

const Pots = Entity.make("pots", { key: "id", columns: { id: Column.integer, name: Column.text } })
const Cups = Entity.make("cups", {
  key: "id",
  columns: { id: Column.integer, name: Column.text, pot_id: Column.integer }
})
const tables = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* Things.create(Pots)
    yield* Things.create(Cups)
    yield* Things.insert(Pots, [{ id: 1, name: "round" }])
    yield* Things.insert(
      Cups,
      [1, 2, 3].map((id) => ({ id, name: `cup ${id}`, pot_id: 1 }))
    )
  })
)
const repository = SqlRepository.make(Cups, { pot: Relation.one(Pots, "pot_id") })
// Writes to everything that can be reached, by symbols, too, and calls what can be called with a page of its own.
const vandalise = (value: unknown, seen = new Set<unknown>()): void => {
  if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) return
  seen.add(value)
  if (typeof value === "function") {
    const forged = { items: [{ id: "forged" }], pagination: Either.getOrThrow(Pagination.make({ page: 1 })) }
    Reflect.apply(value, undefined, [forged])
  }
  for (const name of Reflect.ownKeys(value)) {
    vandalise(Reflect.get(value, name), seen)
    Reflect.set(value, name, "changed")
  }
  if (!isOfTheLanguage(Object.getPrototypeOf(value))) throw new Error("its methods can be replaced for all pages")
  Reflect.set(value, "added", "changed")
  if (Array.isArray(value)) Reflect.apply(Reflect.set, undefined, [value, "length", 0])
}
// Those of the language are everybody's already.
const isOfTheLanguage = (prototype: unknown): boolean =>
  prototype === null || [Object, Array, Function].some((one) => one.prototype === prototype)
const pagination = (options: Parameters<typeof Pagination.make>[0]) => Either.getOrThrow(Pagination.make(options))

describeDatabases("What is listed", (database) => {
  layer(database.layerEmpty)((it) => {
    it.effect("of a view, also as related rows, by a condition and by an order, are those of the moment", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const now = sql.onDialectOrElse({
          pg: () => "extract(epoch FROM clock_timestamp())",
          orElse: () => "unixepoch('subsec')"
        })
        yield* sql.unsafe("CREATE TABLE offers (id INTEGER NOT NULL PRIMARY KEY, ends DOUBLE PRECISION NOT NULL)")
        yield* sql.unsafe(`CREATE VIEW open_offers AS SELECT id FROM offers WHERE ends > ${now}`)
        const Offers = Entity.make("offers", { key: "id", columns: { id: Column.integer } })
        const OpenOffers = Entity.make("open_offers", { key: "id", columns: { id: Column.integer } })
        const open = yield* SqlRepository.make(OpenOffers)
        const offers = yield* SqlRepository.make(Offers, { open: Relation.one(OpenOffers, "id") })
        yield* sql.unsafe(`INSERT INTO offers VALUES (1, ${now} + 1.5)`)
        yield* sql.unsafe("INSERT INTO offers VALUES (2, 0)")
        const plain = yield* SqlRepository.make(Offers)
        const isOpen = Relation.one(OpenOffers, "id")
        const twice = Relation.many(Offers, "id", { selection: (list) => list.exists(isOpen) })
        const nested = yield* SqlRepository.make(Offers, { twice })
        const ids = (items: ReadonlyArray<{ readonly id: number }>) => items.map(({ id }) => id)
        const lists = Effect.gen(function* () {
          const related = yield* offers.paginate()
          return [
            ids((yield* open.paginate()).items),
            related.items.flatMap(({ open }) => (open === null ? [] : [open.id])),
            ids((yield* plain.paginate(plain.select.not((list) => list.notExists(isOpen)))).items),
            ids((yield* plain.paginate(plain.select.orderBy("Desc", isOpen, "id", "First"))).items),
            (yield* nested.paginate()).items.flatMap(({ twice }) => ids(twice))
          ]
        })
        expect(yield* lists).toEqual([[1], [1], [1], [2, 1], [1]])
        expect(yield* lists).toEqual([[1], [1], [1], [2, 1], [1]])
        yield* Effect.promise(() => setTimeout(1600))
        expect(yield* lists).toEqual([[], [], [], [1, 2], []])
      })
    )
  })
  layer(tables.pipe(Layer.provideMerge(spied(database.layerEmpty)), Layer.provideMerge(database.layerEmpty)))((it) => {
    it.effect("are those of the last commit, by this program or another, to the rows or to related rows", () =>
      Effect.gen(function* () {
        const cups = yield* repository
        const sql = yield* SqlClient.SqlClient
        const list = Effect.map(cups.paginate(cups.select, pagination({ cursor: "", limit: 2 })), ({ items }) =>
          items.map(({ name, pot }) => `${name} of the ${pot?.name} pot`)
        )
        const count = Effect.map(cups.paginate(), ({ pagination }) => pagination.total)
        expect(yield* list).toEqual(["cup 1 of the round pot", "cup 2 of the round pot"])
        expect(yield* count).toBe(3)
        yield* sql`UPDATE cups SET name = 'mug' WHERE id = 1`
        expect(yield* list).toEqual(["mug of the round pot", "cup 2 of the round pot"])
        const { url } = yield* TestDatabase
        const elsewhere = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE pots SET name = 'square'`)
        yield* Effect.provide(elsewhere, database.layerAt(url))
        expect(yield* list).toEqual(["mug of the square pot", "cup 2 of the square pot"])
        yield* sql`DELETE FROM cups WHERE id = 1`
        expect(yield* list).toEqual(["cup 2 of the square pot", "cup 3 of the square pot"])
        expect(yield* count).toBe(2)
      })
    )
  })
})

describe("Cached pages", () => {
  layer(tables.pipe(Layer.provideMerge(spied(sqlite.layerEmpty))))((it) => {
    it.effect("are read once while nothing changes, separately for each filter, part and size", () =>
      Effect.gen(function* () {
        const cups = yield* repository
        const sql = yield* SqlClient.SqlClient
        const by = (name: string) => cups.select.filter("name", "equal", name)
        const one = cups.paginate(by("cup 1"), pagination({ cursor: "" }))
        const first = yield* one
        const [again, statements] = yield* statementsOf(one)
        expect(again).toBe(first)
        expect(statements).toEqual([])
        const others = [
          cups.paginate(by("cup 2"), pagination({ cursor: "" })),
          cups.paginate(by("cup 1"), pagination({ cursor: "", limit: 1 })),
          cups.paginate(by("cup 1"), pagination({ page: 1 })),
          cups.paginate(by("cup 1").order("Desc", "id"), pagination({ cursor: "" })),
          cups.paginate(cups.select.filter("name", "unequal", "cup 1"), pagination({ cursor: "" }))
        ]
        for (const other of others) expect((yield* statementsOf(other))[1].length).toBeGreaterThan(0)
        yield* sql`UPDATE pots SET name = 'oval'`
        const [changed, after] = yield* statementsOf(one)
        expect(changed.items[0]?.pot?.name).toBe("oval")
        expect(after).toHaveLength(2)
      })
    )

    it.effect("are those of their own filter, also where its bytes are no text", () =>
      Effect.gen(function* () {
        const Keys = Entity.make("keys", { key: "id", columns: { id: Column.integer, code: Column.bytes } })
        const sql = yield* SqlClient.SqlClient
        yield* Things.create(Keys)
        yield* sql`INSERT INTO keys VALUES (1, ${Buffer.from([0xff])}), (2, ${Buffer.from([0xfe])})`
        const keys = yield* SqlRepository.make(Keys)
        const idsOf = (byte: number) =>
          Effect.map(keys.paginate(keys.select.filter("code", "equal", Uint8Array.of(byte))), ({ items }) =>
            items.map(({ id }) => id)
          )
        expect([yield* idsOf(0xff), yield* idsOf(0xfe), yield* idsOf(0xff)]).toEqual([[1], [2], [1]])
      })
    )

    it.effect("are printed once, and a request cannot change the page of another", () =>
      Effect.gen(function* () {
        const cups = yield* repository
        const pots = yield* SqlRepository.make(Pots, { cups: Relation.many(Cups, "pot_id") })
        for (const list of [cups.paginate(), pots.paginate(), cups.paginate(cups.select, pagination({ cursor: "" }))]) {
          const page = yield* list
          expect(Object.getOwnPropertySymbols(page.items)).toHaveLength(1)
          yield* Effect.sync(() => vandalise(page))
          const before = ListFormat.print(page)
          expect(JSON.parse(before).items).toEqual(JSON.parse(JSON.stringify(page.items)))
          expect(ListFormat.print({ ...page })).toBe(before)
          yield* Effect.sync(() => vandalise(page))
          const again = yield* list
          expect(again).toBe(page)
          expect([ListFormat.print(again), JSON.stringify(again.items)]).toEqual([
            before,
            JSON.stringify(JSON.parse(before).items)
          ])
        }
      })
    )

    it.effect(
      "have bytes, dates and JSON that are each request's own, also of related rows, and are printed alike",
      () =>
        Effect.gen(function* () {
          const Seals = Entity.make("seals", {
            key: "id",
            columns: {
              id: Column.integer,
              mark: Column.bytes,
              words: Column.json(Schema.Struct({ made: Schema.Date, list: Schema.Array(Schema.Date) })),
              plain: Column.json(Schema.Unknown)
            }
          })
          const Deeds = Entity.fromSchema("deeds", {
            key: "id",
            schema: Schema.Struct({ id: Schema.Int, seal_id: Schema.Int, signed: Schema.Date })
          })
          const sql = yield* SqlClient.SqlClient
          yield* Things.create(Seals)
          yield* Things.create(Deeds)
          const words = JSON.stringify({ made: "2024-02-29T00:00:00.000Z", list: ["2024-02-29T00:00:00.000Z"] })
          yield* sql`INSERT INTO seals VALUES (1, ${Buffer.from([1, 2])}, ${words}, '{"a":[1]}')`
          yield* sql`INSERT INTO deeds VALUES (1, 1, '2024-02-29T00:00:00.000Z')`
          const deeds = yield* SqlRepository.make(Deeds, { seal: Relation.one(Seals, "seal_id") })
          const copied = (value: unknown) =>
            JSON.stringify(value, (_, part) => (part instanceof Uint8Array ? [...part] : part))
          const read = Effect.map(
            deeds.paginate(),
            (page) => [page, copied(page.items), ListFormat.print(page)] as const
          )
          const [first, items, text] = yield* read
          for (let times = 0; times < 3; times++) {
            const [again, same, printed] = yield* read
            expect([same, printed]).toEqual([items, text])
            for (const { items } of [first, again]) {
              items[0]?.signed.setTime(0)
              items[0]?.seal?.mark.fill(255)
              items[0]?.seal?.words.list[0]?.setTime(0)
              expect(() => Reflect.apply(Array.prototype.push, Object(items[0]?.seal?.plain).a, [2])).toThrow(TypeError)
            }
          }
          expect((yield* statementsOf(deeds.paginate()))[1]).toEqual([])
        })
    )

    it.effect("are bounded by their bytes, a few long ones as well as many short ones", () =>
      Effect.gen(function* () {
        const Essays = Entity.make("essays", { key: "id", columns: { id: Column.integer, body: Column.text } })
        yield* Things.create(Essays)
        yield* Things.insert(
          Essays,
          Array.from({ length: 40 }, (_, id) => ({ id, body: "x".repeat(20_000) }))
        )
        const essays = yield* SqlRepository.make(Essays, {}, { cacheBytes: 500_000 })
        const read = (id: number) =>
          essays.paginate(essays.select.filter("id", "equal", id), pagination({ cursor: "" }))
        const all = Array.from({ length: 40 }, (_, id) => id)
        yield* Effect.forEach(all, read)
        // From the newest to the oldest: what has to be read again pushes out only what was seen already.
        const counts = yield* Effect.forEach([...all].reverse(), (id) =>
          Effect.map(statementsOf(read(id)), ([, statements]) => statements.length)
        )
        const kept = counts.indexOf(1)
        expect(kept).toBeGreaterThan(1)
        expect(kept * 20_000).toBeLessThan(500_000)
        const large = essays.paginate(essays.select, pagination({ limit: 40 }))
        yield* large
        expect((yield* statementsOf(large))[1]).toHaveLength(2)
        const none = yield* SqlRepository.make(Essays, {}, { cacheBytes: 0 })
        yield* none.paginate()
        expect((yield* statementsOf(none.paginate()))[1]).toHaveLength(2)
      })
    )

    it.effect("are not kept from a transaction, whose writes may never be committed", () =>
      Effect.gen(function* () {
        const cups = yield* repository
        const sql = yield* SqlClient.SqlClient
        const names = Effect.map(cups.paginate(), ({ items }) => items.map(({ name }) => name))
        const inside = Effect.gen(function* () {
          yield* sql`UPDATE cups SET name = 'never'`
          return yield* Effect.flatMap(names, Effect.fail)
        })
        expect(yield* Effect.flip(sql.withTransaction(inside))).toEqual(["never", "never", "never"])
        expect(yield* names).toEqual(["cup 1", "cup 2", "cup 3"])
      })
    )
  })
})
