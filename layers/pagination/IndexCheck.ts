// Compares the orders of lists with the indexes of their table: without its index a list sorts the table for each part.
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import type * as Column from "../../src/pagination/Column.ts"
import { pg, sqlite } from "../../src/pagination/internal/query/Dialect.ts"
import type * as EntityRow from "../../src/pagination/internal/columns/EntityRow.ts"
import * as OrderIndex from "../../src/pagination/internal/query/OrderIndex.ts"
import * as Restrictions from "../../src/pagination/internal/query/Restrictions.ts"
import type { Selection } from "../../src/pagination/Selection.ts"
import { partsOf } from "../../src/pagination/internal/query/SelectionState.ts"
import * as SearchCheck from "./internal/SearchCheck.ts"
import * as TableIndexes from "./internal/TableIndexes.ts"

/**
 * The `CREATE INDEX` statements of the indexes that these lists of an entity need and that its table does not have, those
 * for its searches included; a comment for a list that no index serves.
 */
export const run = <C extends Column.Columns>(
  ...lists: ReadonlyArray<Selection<C>>
): Effect.Effect<ReadonlyArray<string>, never, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const dialect = sql.onDialectOrElse({ pg: () => pg, orElse: () => sqlite })
    const indexesOf = TableIndexes.reader(sql)
    const missing = new Set<string>()
    // What the statements make: a sort and its reverse need one index, not two of the same name.
    const made: Array<OrderIndex.Needed> = []
    for (const list of lists) {
      const searched = new Set<EntityRow.Any>()
      Restrictions.visit(list.entity, partsOf(list).restrictions, (entity, leaf) => {
        if (leaf._tag === "Search") searched.add(entity)
      })
      for (const entity of searched) {
        for (const statement of yield* Effect.orDie(SearchCheck.missing(sql, entity))) missing.add(statement)
      }
      const reason = OrderIndex.unservable(list)
      if (reason !== undefined) {
        missing.add(reason)
        continue
      }
      const needed = OrderIndex.needed(dialect, list)
      const isFiltered = partsOf(list).restrictions.length > 0
      const indexes = yield* Effect.orDie(indexesOf(list.entity, isFiltered))
      const there = [...indexes, ...made.flatMap((one) => (one.table === needed.table ? [OrderIndex.of(one)] : []))]
      if (there.some((index) => OrderIndex.serves(dialect, needed, index))) continue
      missing.add(OrderIndex.statement(dialect, needed))
      made.push(needed)
    }
    return [...missing]
  })

/**
 * Logs a warning with the `CREATE INDEX` statement for each index that these lists need and that is missing.
 *
 * @example
 * ```ts
 * import { Layer } from "effect"
 * import { Column, Entity, Selection } from "effect-framework/pagination"
 * import { EntityCheck, IndexCheck } from "effect-framework/layers/pagination"
 *
 * const Sale = Entity.make("sales", {
 *   key: "id",
 *   columns: { id: Column.integer, sold_at: Column.timestamp, total: Column.decimal(2) }
 * })
 * const sales = Selection.from(Sale)
 * const lists = [sales.order("Desc", "sold_at"), sales.order("Desc", "total")]
 *
 * // The repository of sales is made later, by a command: the start already looks at its table and its indexes.
 * export const checks = Layer.merge(EntityCheck.layer(Sale), IndexCheck.layer(...lists))
 * ```
 */
export const layer = <C extends Column.Columns>(
  ...lists: ReadonlyArray<Selection<C>>
): Layer.Layer<never, never, SqlClient.SqlClient> =>
  Layer.effectDiscard(
    Effect.flatMap(run(...lists), (missing) =>
      Effect.forEach(missing, (statement) => Effect.logWarning(describe(statement)), {
        discard: true
      })
    )
  )

const describe = (statement: string): string =>
  statement.startsWith("-- ") ? statement.slice(3) : TableIndexes.warning(statement)
