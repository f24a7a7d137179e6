import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Cause, Effect, Either, Exit, FastCheck as fc } from "effect"
import * as EntityTables from "../../../layers/pagination/internal/EntityTables.ts"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import { erase } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import * as Keyset from "../../../src/pagination/internal/query/Keyset.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import type { Paginated } from "../../../src/pagination/Repository.ts"
import type { Order } from "../../../src/pagination/internal/query/SelectionParts.ts"
import { reorder } from "../../../src/pagination/internal/query/SelectionState.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { explain } from "../../support/Plans.ts"
import { spied, statementsOf } from "./Spy.ts"
import * as Things from "./Things.ts"

const columns = { shop: Column.integer, code: Column.text, rank: Column.nullable(Column.integer) } as const
const Wares = Entity.make("wares", { key: ["shop", "code"], columns })
const Shops = Entity.make("shops", { key: "id", columns: { id: Column.integer } })

const rows = fc.uniqueArray(
  fc.record({
    shop: fc.integer({ min: 1, max: 3 }),
    code: fc.constantFrom("a", "b", "B", "é", ""),
    rank: fc.constantFrom(null, 0, 1)
  }),
  { selector: ({ code, shop }) => `${shop} ${code}`, maxLength: 15 }
)
const orders: fc.Arbitrary<ReadonlyArray<Order>> = fc.subarray(["shop", "code", "rank"]).chain((names) =>
  fc.tuple(
    ...names.map((column) =>
      fc.record({
        column: fc.constant(column),
        direction: fc.constantFrom("Asc" as const, "Desc" as const),
        nulls: column === "rank" ? fc.constantFrom("First" as const, "Last" as const) : fc.constant(undefined)
      })
    )
  )
)

const part = (options: Parameters<typeof Pagination.make>[0]) => Either.getOrThrow(Pagination.make(options))

const Sales = Entity.make("sales", {
  key: "id",
  columns: { id: Column.integer, shop_id: Column.integer, ware: Column.text, sold: Column.integer }
})

describeDatabases("A key of several columns", (database) => {
  layer(spied(database.layerEmpty))((it) => {
    it.effect.prop(
      "is referred to by conditions on related rows, from both sides",
      { rows, sold: fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom("a", "b", "B"), fc.nat(2))) },
      ({ rows, sold }) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const sales = sold.map(([shop_id, ware, sold], index) => ({ id: index + 1, shop_id, ware, sold }))
          yield* sql`DROP TABLE IF EXISTS wares`
          yield* sql`DROP TABLE IF EXISTS sales`
          yield* Things.create(Wares)
          yield* Things.create(Sales)
          yield* Things.insert(Wares, rows)
          yield* Things.insert(Sales, sales)
          const wares = yield* SqlRepository.make(Wares)
          const many = Relation.many(Sales, ["shop_id", "ware"])
          const all = part({ limit: 100 })
          const found = yield* wares.paginate(
            wares.select.exists(many, (sale) => sale.filter("sold", "greater", 0)),
            all
          )
          const isOf = (ware: (typeof rows)[number]) => (sale: (typeof sales)[number]) =>
            sale.shop_id === ware.shop && sale.ware === ware.code
          const expected = rows.filter((ware) => sales.filter(isOf(ware)).some((sale) => sale.sold > 0))
          const names = (given: ReadonlyArray<{ readonly shop: number; readonly code: string }>) =>
            new Set(given.map(({ code, shop }) => `${shop} ${code}`))
          expect(names(found.items)).toEqual(names(expected))
          const list = yield* SqlRepository.make(Sales)
          const lost = yield* list.paginate(list.select.notExists(Relation.one(Wares, ["shop_id", "ware"])), all)
          expect(lost.items).toEqual(sales.filter((sale) => !rows.some((ware) => isOf(ware)(sale))))
        }),
      { fastCheck: { numRuns: 20 } }
    )

    it.effect.prop(
      "gives every row once and in order, forward and backward",
      { rows, orders, limit: fc.integer({ min: 1, max: 6 }) },
      ({ limit, orders, rows }) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`DROP TABLE IF EXISTS wares`
          yield* Things.create(Wares)
          yield* Things.insert(Wares, rows)
          const wares = yield* SqlRepository.make(erase(Wares))
          const selection = reorder(wares.select, orders)
          const sorted = [...rows].sort(Things.comparator(Keyset.orders(selection)))
          const [forth, back]: [Array<unknown>, Array<unknown>] = [[], []]
          for (let cursor: string | null = ""; cursor !== null;) {
            const page: Paginated<unknown> = yield* wares.paginate(selection, part({ cursor, limit }))
            forth.push(...page.items)
            cursor = page.pagination.next
          }
          for (let before: string | null = ""; before !== null;) {
            const page: Paginated<unknown> = yield* wares.paginate(selection, part({ before, limit }))
            back.unshift(...page.items)
            before = page.pagination.previous
          }
          expect(forth).toEqual(sorted)
          expect(back).toEqual(sorted)
          expect((yield* wares.paginate(selection, part({ limit: 20 }))).items).toEqual(sorted)
        }),
      { fastCheck: { numRuns: 25 } }
    )

    it.effect("is an index search", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`DROP TABLE IF EXISTS wares`
        yield* Things.create(Wares)
        const wares = yield* SqlRepository.make(Wares)
        const cursor = Buffer.from('[2,"a"]').toString("base64url")
        const [, [text = ""]] = yield* statementsOf(wares.paginate(wares.select, part({ cursor })))
        const plan = yield* explain(sql.unsafe(text, [2, "a", 11]))
        expect(plan.isIndexSearch, plan.text).toBe(true)
        expect(plan.sorts, plan.text).toBe(false)
      })
    )

    it.effect("needs a unique index over its columns, or over some of them", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const check = (suffix: string) =>
          Effect.gen(function* () {
            yield* sql`DROP TABLE IF EXISTS wares`
            yield* sql.unsafe(`CREATE TABLE wares (shop INTEGER NOT NULL, code TEXT NOT NULL, rank INTEGER${suffix})`)
            return yield* Effect.either(EntityTables.check(Wares))
          })
        for (const suffix of [", PRIMARY KEY (shop, code)", ", UNIQUE (code, shop)", ", UNIQUE (code)"]) {
          expect([suffix, yield* check(suffix)]).toEqual([suffix, Either.void])
        }
        for (const suffix of ["", ", UNIQUE (shop, rank)", ", UNIQUE (shop, code, rank)"]) {
          const found = yield* check(suffix)
          expect([suffix, Either.isLeft(found) ? found.left.message : undefined]).toEqual([
            suffix,
            "The entity does not fit the table wares: shop, code is declared as the key, found no unique index over these columns alone."
          ])
        }
      })
    )

    it.effect("is referred to by as many columns", () =>
      Effect.gen(function* () {
        expect(() => Relation.one(Wares, "code")).toThrow(
          "wares has the key (shop, code), and a relation refers to it by (code)"
        )
        const exit = yield* Effect.exit(SqlRepository.make(Wares, { shops: Relation.many(Shops, "id") }))
        expect(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "").toContain(
          "wares has the key (shop, code), and shops refers to it by (id)"
        )
      })
    )
  })
})
