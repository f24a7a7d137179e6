import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Either, FastCheck as fc } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import type * as Column from "../../../src/pagination/Column.ts"
import { erase } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import * as Keyset from "../../../src/pagination/internal/query/Keyset.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import type { Paginated, Repository } from "../../../src/pagination/Repository.ts"
import type { Selection } from "../../../src/pagination/Selection.ts"
import { reorder } from "../../../src/pagination/internal/query/SelectionState.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { spied, statementsOf } from "./Spy.ts"
import * as Things from "./Things.ts"

type Loose = Column.Columns
type Options = NonNullable<Parameters<typeof Pagination.make>[0]>

const part = (options: Options) => Either.getOrThrow(Pagination.make({ bidirectional: true, ...options }))

const table = fc
  .constantFrom(...Things.keys)
  .chain((key) => Things.things(key, 30).map((rows) => ({ entity: erase(Things.entities[key]), rows })))

/** From the last rows to the first ones. */
const walkBack = <A, I>(list: Repository<Loose, A, I>, selection: Selection<Loose>, limit: number) =>
  Effect.gen(function* () {
    const items: Array<A> = []
    for (let before: string | null = ""; before !== null;) {
      const found: Paginated<A> = yield* list.paginate(selection, part({ before, limit }))
      items.unshift(...found.items)
      before = found.pagination.previous
    }
    return items
  })

describeDatabases("A list in both directions", (database) => {
  layer(spied(database.layerEmpty))((it) => {
    it.effect.prop(
      "has before and after each row what a sorted list has there, and says exactly whether there is more",
      { table, orders: Things.orders, limit: fc.integer({ min: 1, max: 12 }), pick: fc.nat() },
      ({ limit, orders, pick, table: { entity, rows } }) =>
        Effect.gen(function* () {
          yield* Things.fresh(entity, rows)
          const list = yield* SqlRepository.make(entity)
          const selection = reorder(list.select, orders)
          const sorted = [...rows].sort(Things.comparator(Keyset.orders(selection)))
          const read = (options: Options) => list.paginate(selection, part(options))
          const { items, pagination } = yield* read({ cursor: "", limit: 30, rowCursors: true })
          expect(items).toEqual(sorted)
          expect(pagination).toMatchObject({ previous: null, next: null, more: false })
          const cursors = pagination.rowCursors ?? []
          expect(new Set(cursors).size).toBe(rows.length)
          if (rows.length === 0) return

          const at = pick % rows.length
          const after = yield* read({ cursor: cursors[at], limit })
          const end = Math.min(at + 1 + limit, rows.length)
          expect(after.items).toEqual(sorted.slice(at + 1, end))
          const next = end < rows.length ? cursors[end - 1] : null
          // Nothing follows the last row: the way back is the end of the list.
          expect(after.pagination).toMatchObject({ previous: cursors[at + 1] ?? "", next, more: next !== null })

          const before = yield* read({ before: cursors[at], limit })
          const start = Math.max(at - limit, 0)
          expect(before.items).toEqual(sorted.slice(start, at))
          const previous = start > 0 ? cursors[start] : null
          expect(before.pagination).toMatchObject({ previous, next: cursors[at - 1] ?? "", more: true })

          expect(yield* walkBack(list, selection, limit)).toEqual(sorted)
        }),
      { fastCheck: { numRuns: 30 } }
    )

    it.effect.prop(
      "leads back and forth past rows that were deleted meanwhile",
      { table, orders: Things.orders, limit: fc.integer({ min: 1, max: 5 }), pick: fc.nat(), gone: fc.nat(1023) },
      ({ gone, limit, orders, pick, table: { entity, rows } }) =>
        Effect.gen(function* () {
          yield* Things.fresh(entity, rows)
          const sql = yield* SqlClient.SqlClient
          const list = yield* SqlRepository.make(entity)
          const selection = reorder(list.select, orders)
          const sorted = [...rows].sort(Things.comparator(Keyset.orders(selection)))
          const whole = yield* list.paginate(selection, part({ cursor: "", limit: 30, rowCursors: true }))
          const at = rows.length === 0 ? 0 : pick % rows.length
          const cursor = whole.pagination.rowCursors?.[at]
          if (cursor === undefined) return
          const isGone = (index: number) => index === at || ((gone >> (index % 10)) & 1) === 1
          for (const row of sorted.filter((_, index) => isGone(index))) {
            yield* sql`DELETE FROM ${sql(entity.table)} WHERE id = ${row.id as string}`
          }
          const left = (from: number, to: number) => sorted.slice(from, to).filter((_, index) => !isGone(from + index))
          const [earlier, later] = [left(0, at), left(at + 1, rows.length)]
          const after = yield* list.paginate(selection, part({ cursor, limit }))
          expect(after.items).toEqual(later.slice(0, limit))
          expect(after.pagination.previous === null).toBe(earlier.length === 0)
          expect(after.pagination.next === null).toBe(later.length <= limit)
          const before = yield* list.paginate(selection, part({ before: cursor, limit }))
          expect(before.items).toEqual(earlier.slice(-limit))
          expect(before.pagination.next === null).toBe(later.length === 0)
          expect(before.pagination.previous === null).toBe(earlier.length <= limit)
          if (before.pagination.next === null) return
          const forth = yield* list.paginate(selection, part({ cursor: before.pagination.next, limit: 30 }))
          expect(forth.items).toEqual(later)
        }),
      { fastCheck: { numRuns: 20 } }
    )

    it.effect("costs one search more, and nothing at the ends or where nobody asks", () =>
      Effect.gen(function* () {
        const entity = erase(Things.entities.integer)
        const [thing] = fc.sample(Things.things("integer", 1), { numRuns: 50, seed: 7 }).flat()
        yield* Things.fresh(
          entity,
          thing === undefined ? [] : Array.from({ length: 20 }, (_, id) => ({ ...thing, id }))
        )
        const list = yield* SqlRepository.make(entity, {}, { cacheBytes: 0 })
        const count = (options: Options) =>
          Effect.map(
            statementsOf(list.paginate(list.select, Either.getOrThrow(Pagination.make({ limit: 5, ...options })))),
            ([, statements]) => statements.length
          )
        const { pagination } = yield* list.paginate(list.select, part({ cursor: "", limit: 5 }))
        const cursor = pagination.next ?? ""
        expect(yield* count({ cursor })).toBe(1)
        expect(yield* count({ cursor: "", bidirectional: true })).toBe(1)
        expect(yield* count({ before: "" })).toBe(1)
        expect(yield* count({ cursor, bidirectional: true })).toBe(2)
        expect(yield* count({ before: cursor })).toBe(2)
      })
    )

    it.effect("is refused before any query when it starts at a position of its own", () =>
      Effect.gen(function* () {
        const list = yield* SqlRepository.make(Things.entities.integer)
        const selection = list.select.order("Asc", "id").seek([["id", "Asc", 5]])
        const [error, statements] = yield* statementsOf(Effect.flip(list.paginate(selection, part({ before: "" }))))
        expect(error.message).toBe("A list that starts at a position of its own cannot be read backward.")
        expect(statements).toEqual([])
      })
    )
  })
})
