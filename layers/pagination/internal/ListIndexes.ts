// The indexes that the lists and relations of a repository need, looked for when it is made.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Columns } from "../../../src/pagination/Column.ts"
import { type Dialect, pg, sqlite } from "../../../src/pagination/internal/query/Dialect.ts"
import { erase } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import type * as EntityRow from "../../../src/pagination/internal/columns/EntityRow.ts"
import * as OrderIndex from "../../../src/pagination/internal/query/OrderIndex.ts"
import type { AnyRelations } from "../../../src/pagination/internal/relations/RelationItem.ts"
import { from, type Selection } from "../../../src/pagination/Selection.ts"
import { type Restriction, update } from "../../../src/pagination/internal/query/SelectionParts.ts"
import { relatedOf } from "../../../src/pagination/internal/query/SelectionState.ts"
import * as IndexCheck from "../IndexCheck.ts"
import * as TableIndexes from "./TableIndexes.ts"

/** Logs a warning with the `CREATE INDEX` for each index that these lists or the relations need and that is missing. */
export const check = <C extends Columns>(
  lists: ReadonlyArray<Selection<C>>,
  relations: AnyRelations
): Effect.Effect<void, never, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const dialect = sql.onDialectOrElse({ pg: () => pg, orElse: () => sqlite })
    // What no index serves is no mistake of the tables: the program has chosen it.
    const missing = new Set((yield* IndexCheck.run(...lists)).filter((statement) => !statement.startsWith("-- ")))
    const indexesOf = TableIndexes.reader(sql)
    for (const { entity, isFiltered, needed } of needs(dialect, relations)) {
      const isServed = Effect.map(indexesOf(entity, isFiltered), (indexes) =>
        indexes.some((index) => OrderIndex.serves(dialect, needed, index))
      )
      const isMissing = Effect.if(TableIndexes.isTable(sql, entity.table), {
        onTrue: () => Effect.negate(isServed),
        onFalse: () => Effect.succeed(false)
      })
      if (yield* Effect.orDie(isMissing)) missing.add(OrderIndex.statement(dialect, needed))
    }
    for (const statement of missing) yield* Effect.logWarning(TableIndexes.warning(statement))
  })

interface Need {
  readonly entity: EntityRow.Any
  readonly isFiltered: boolean
  readonly needed: OrderIndex.Needed
}

// What each `many` reads: the rows of a parent, with a limit in their order. A `one` reads by a key, which has its index.
const needs = (dialect: Dialect, relations: AnyRelations): ReadonlyArray<Need> =>
  Object.values(relations).flatMap((relation): ReadonlyArray<Need> => {
    const nested = needs(dialect, relation.relations)
    if (relation._tag === "One") return nested
    const { columns, list, source } = relation
    const linked = columns.map((column): Restriction => ({ _tag: "Filter", column, operator: "equal", values: [] }))
    const restrictions = [...list.parts.restrictions, ...linked]
    const rows = from(erase(source))[update]({ ...list.parts, restrictions }, "")
    const isOrdered = list.parts.size !== undefined && relatedOf(rows).length === 0
    const needed = isOrdered
      ? OrderIndex.needed(dialect, rows)
      : { table: source.table, equal: new Set(columns), ordered: [] }
    const own: ReadonlyArray<Need> = [{ entity: source, isFiltered: list.parts.restrictions.length > 0, needed }]
    return own.concat(nested)
  })
