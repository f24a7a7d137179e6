// The collations of the related columns that lists are ordered by: a subquery of SQLite has not that of its column.
import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Columns } from "../../../src/pagination/Column.ts"
import type { Selection } from "../../../src/pagination/Selection.ts"
import { collating, relatedOf } from "../../../src/pagination/internal/query/SelectionState.ts"
import * as ColumnCollations from "./ColumnCollations.ts"

/** The same selection with the collations, at once unless one of them must be read. */
export type Collate = <C extends Columns>(selection: Selection<C>) => Selection<C> | Effect.Effect<Selection<C>>

/** For a database whose subqueries have the collations of their columns. */
export const none: Collate = (selection) => selection

/** Reads each collation once, when a list is first ordered by its column. */
export const make = (sql: SqlClient.SqlClient): Collate => {
  const known = new Map<string, string>()
  const collationOf = (related: Column): string | undefined => {
    const collation = known.get(keyOf(related))
    return collation === "BINARY" ? undefined : collation
  }
  const read = Effect.fnUntraced(function* ({ column, table }: Column) {
    // Not remembered before the column is there.
    const found = yield* sql`SELECT 1 FROM pragma_table_xinfo(${table}) WHERE name = ${column} COLLATE NOCASE`
    if (found.length === 0) return
    const collations = yield* ColumnCollations.read(sql, { names: [column], table })
    known.set(keyOf({ column, table }), collations.get(column) ?? "BINARY")
  }, Effect.orDie)
  return (selection) => {
    const related = relatedOf(selection)
    if (related.length === 0) return selection
    const unknown = related.filter((one) => !known.has(keyOf(one)))
    return unknown.length === 0
      ? collating(selection, collationOf)
      : Effect.map(Effect.forEach(unknown, read, { discard: true }), () => collating(selection, collationOf))
  }
}

type Column = Pick<ReturnType<typeof relatedOf>[number], "column" | "table">

const keyOf = ({ column, table }: Column): string => JSON.stringify([table, column])
