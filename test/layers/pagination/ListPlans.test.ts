// The plans of every mix of directions and null orders over one to three columns, forward and backward, on the index that
// `IndexCheck` prints: each part is an index search, and no part sorts more rows than its limit.
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { setImmediate } from "node:timers/promises"
import * as IndexCheck from "../../../layers/pagination/IndexCheck.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as ColumnValue from "../../../src/pagination/internal/columns/ColumnValue.ts"
import { pg, sqlite } from "../../../src/pagination/internal/query/Dialect.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import { columnOf, erase } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import * as Keyset from "../../../src/pagination/internal/query/Keyset.ts"
import * as Query from "../../../src/pagination/internal/query/Query.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import type { Order } from "../../../src/pagination/internal/query/SelectionParts.ts"
import { reorder, seekFrom } from "../../../src/pagination/internal/query/SelectionState.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Plans from "../../support/Plans.ts"
import * as Things from "./Things.ts"

const columns = {
  c0: Column.integer,
  c1: Column.text,
  c2: Column.timestamp,
  n0: Column.nullable(Column.integer),
  n1: Column.nullable(Column.text),
  n2: Column.nullable(Column.timestamp)
} as const

const entities = {
  "an integer": erase(Entity.make("planned", { key: "id", columns: { id: Column.integer, ...columns } })),
  "a text": erase(Entity.make("planned", { key: "id", columns: { id: Column.text, ...columns } })),
  "two columns": erase(
    Entity.make("planned", { key: ["shop", "id"], columns: { shop: Column.integer, id: Column.text, ...columns } })
  )
} as const

// Three columns are 2,432 plans, and the key that differs most between the databases is enough for them.
const cases = Object.entries(entities).flatMap(([key, entity]) =>
  (key === "an integer" ? [1, 2, 3] : [1, 2]).map((count) => ({ key, entity, count }))
)

// Every way to order by the column at this place.
const ways = (place: number): ReadonlyArray<Order> =>
  (["Asc", "Desc"] as const).flatMap((direction) => [
    { column: `c${place}`, direction, nulls: undefined },
    { column: `n${place}`, direction, nulls: "First" as const },
    { column: `n${place}`, direction, nulls: "Last" as const }
  ])

const mixes = (count: number): ReadonlyArray<ReadonlyArray<Order>> =>
  count === 0 ? [[]] : mixes(count - 1).flatMap((mix) => ways(count - 1).map((order) => mix.concat(order)))

// Every way in which the values of a position may be null.
const positions = (orders: ReadonlyArray<Order>, entity: Entity.Entity) =>
  orders.reduce<ReadonlyArray<Parameters<typeof seekFrom>[1]>>(
    (all, { column, direction, nulls }) => {
      const value = ColumnValue.placeholder(columnOf(entity, column).kind)
      const values = nulls === undefined ? [value] : [value, null]
      return all.flatMap((position) => values.map((value) => position.concat({ column, direction, value })))
    },
    [[]]
  )

describeDatabases("Every mix of orders", (database) => {
  const isSqlite = database.name === "SQLite"
  const dialect = isSqlite ? sqlite : pg

  // Whether rows are sorted that no limit keeps few; branches of a union are limited each.
  const sorts = (text: string, plan: Plans.Plan): boolean => plan.sortsAll && !(isSqlite && text.includes('AS "page"'))

  // SQLite also walks through the rows of a subquery, which are limited.
  const searches = (plan: Plans.Plan): boolean =>
    isSqlite
      ? plan.text.split("\n").every((step) => !step.includes(" planned") || step.startsWith("SEARCH "))
      : plan.isIndexSearch

  const check = (entity: Entity.Entity, orders: ReadonlyArray<Order>) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const list = reorder(Selection.from(entity), orders)
      const [index = ""] = yield* IndexCheck.run(list)
      yield* sql.unsafe(index.replace(/"planned_\w+"/, "mixed"))
      expect(yield* IndexCheck.run(list)).toEqual([])
      const closed = Keyset.orders(list)
      let plans = 0
      for (const walk of [closed, Keyset.reverse(closed)]) {
        const first = reorder(list, walk).limit(11)
        const parts = [first, ...positions(walk, entity).map((position) => seekFrom(first, position))]
        for (const part of parts) {
          const query = Query.select(dialect, part)
          const statement = sql.unsafe(query.text, Query.bind(query, Query.values(dialect, part)))
          const plan = yield* Plans.planOf(statement)
          const found = { searches: part === first || searches(plan), sorts: sorts(query.text, plan) }
          if (!found.searches || found.sorts) expect(found, `${index}\n${query.text}\n${plan.text}`).toBe("a search")
          plans++
        }
      }
      yield* sql`DROP INDEX mixed`
      // SQLite never waits, and the worker has messages to read.
      yield* Effect.promise(() => setImmediate())
      return plans
    })

  layer(database.layerEmpty)((it) => {
    it.effect.each(cases)(
      "over $count columns is an index search without a sort, with $key as the key",
      ({ count, entity }) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`DROP TABLE IF EXISTS planned`
          yield* Things.create(entity)
          const plans = yield* Plans.explaining(Effect.forEach(mixes(count), (orders) => check(entity, orders)))
          expect(plans).toHaveLength(6 ** count)
          expect(plans.reduce((sum, one) => sum + one, 0)).toBe(2 * (6 ** count + 10 ** count))
        })
    )
  })
})
