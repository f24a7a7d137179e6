import { SqlClient } from "@effect/sql"
import { describe, expect, it, layer } from "@effect/vitest"
import { Effect, Either, FastCheck as fc } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import { erase } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import * as Keyset from "../../../src/pagination/internal/query/Keyset.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import type { Paginated, Repository } from "../../../src/pagination/Repository.ts"
import type * as Selection from "../../../src/pagination/Selection.ts"
import { reorder } from "../../../src/pagination/internal/query/SelectionState.ts"
import { describeDatabases, sqlite } from "../../support/Databases.ts"
import * as Things from "./Things.ts"

type Loose = Column.Columns

const entityOf = (key: Things.Key): Entity.Entity => erase(Things.entities[key])

/** Page after page until the cursor is null. */
const walk = <A, I>(repository: Repository<Loose, A, I>, selection: Selection.Selection<Loose>, limit: number) =>
  Effect.gen(function* () {
    const items: Array<A> = []
    let cursor: string | null = ""
    while (cursor !== null) {
      const page: Paginated<A> = yield* repository.paginate(
        selection,
        Either.getOrThrow(Pagination.make({ cursor, limit }))
      )
      items.push(...page.items)
      cursor = page.pagination.next
    }
    return items
  })

const slices = <A, I>(repository: Repository<Loose, A, I>, selection: Selection.Selection<Loose>, limit: number) =>
  Effect.gen(function* () {
    const items: Array<A> = []
    for (let page = 1, pages = 1; page <= pages; page++) {
      const slice = yield* repository.paginate(selection, Either.getOrThrow(Pagination.make({ page, limit })))
      items.push(...slice.items)
      pages = slice.pagination.pages ?? 0
    }
    return items
  })

describeDatabases("A walk", (database) => {
  layer(database.layerEmpty)((it) => {
    for (const key of Things.keys) {
      it.effect.prop(
        `gives every row once and in order, in both modes, with a ${key} key`,
        { rows: Things.things(key, 40), orders: Things.orders, limit: fc.integer({ min: 1, max: 12 }) },
        ({ limit, orders, rows }) =>
          Effect.gen(function* () {
            const entity = entityOf(key)
            yield* Things.fresh(entity, rows)
            const things = yield* SqlRepository.make(entity)
            const selection = reorder(things.select, orders)
            const expected = [...rows].sort(Things.comparator(Keyset.orders(selection)))
            expect(yield* walk(things, selection, limit)).toEqual(expected)
            expect(yield* slices(things, selection, limit)).toEqual(expected)
          }),
        { fastCheck: { numRuns: 25 } }
      )
    }

    it.effect.prop(
      "gives every unchanged row once and in order while others are added, deleted and changed",
      {
        table: fc.constantFrom(...Things.keys).chain((key) => Things.things(key, 30).map((rows) => ({ key, rows }))),
        others: Things.things("integer", 30),
        orders: Things.orders,
        limit: fc.integer({ min: 1, max: 5 })
      },
      ({ limit, orders, others, table: { key, rows } }) =>
        Effect.gen(function* () {
          const entity = entityOf(key)
          yield* Things.fresh(entity, rows)
          const sql = yield* SqlClient.SqlClient
          const things = yield* SqlRepository.make(entity)
          const selection = reorder(things.select, orders)
          const touched = new Set<unknown>(rows.filter((_, index) => index % 2 === 1).map((row) => row.id))
          const change = Effect.forEach(
            others,
            (other, index) =>
              Effect.gen(function* () {
                const victim = rows[index * 2 + 1]
                if (victim !== undefined && index % 2 === 0) {
                  yield* sql`DELETE FROM ${sql(entity.table)} WHERE id = ${victim.id as string}`
                } else if (victim !== undefined) {
                  yield* sql`UPDATE ${sql(entity.table)} SET ${sql.update({ word: `${other.word}`, score: Number(other.score) })} WHERE id = ${victim.id as string}`
                } else {
                  const id = Things.keyOf[key](1000 + index)
                  touched.add(id)
                  yield* Things.insert(entity, [{ ...other, id }])
                }
                yield* Effect.yieldNow()
              }),
            { discard: true }
          )
          const [seen] = yield* Effect.all([walk(things, selection, limit), change], { concurrency: 2 })
          const expected = rows.filter((row) => !touched.has(row.id)).sort(Things.comparator(Keyset.orders(selection)))
          expect(seen.filter((row) => !touched.has(row["id"]))).toEqual(expected)
        }),
      { fastCheck: { numRuns: 25 } }
    )
  })
})

describe("Cursor mode on SQLite", () => {
  it.effect("sorts by the column's own collation in every branch", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const Names = Entity.make("names", { key: "id", columns: { id: Column.integer, name: Column.text } })
      yield* sql`CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE)`
      yield* sql`INSERT INTO names (name) VALUES ('b'), ('A'), ('a'), ('B'), ('C'), ('c'), ('A')`
      const names = yield* SqlRepository.make(erase(Names))
      const seen = yield* walk(names, names.select.order("Desc", "name"), 2)
      expect(seen.map((row) => row["id"])).toEqual([5, 6, 1, 4, 2, 3, 7])
    }).pipe(Effect.provide(sqlite.layerEmpty))
  )
})
