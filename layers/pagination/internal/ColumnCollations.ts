// The collations by which SQLite compares the columns of a table. Its catalogue does not list them, its programs do.
import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { quoteTable, tableName } from "../../../src/pagination/internal/query/Dialect.ts"
import type * as EntityRow from "../../../src/pagination/internal/columns/EntityRow.ts"
import { qualified } from "../../../src/pagination/internal/query/Writer.ts"
import type { Columns } from "../../../src/pagination/Column.ts"
import type { Selection } from "../../../src/pagination/Selection.ts"
import { collating, relatedOf } from "../../../src/pagination/internal/query/SelectionState.ts"

interface Step {
  readonly opcode: string
  readonly p4: string | null
}

/**
 * The collation of each column in capitals; none where SQLite does not say it. A comparison of each column is explained, not run:
 *
 * => EXPLAIN SELECT "cups"."id" = '', "cups"."name" = '' FROM "cups"
 * => Eq 8 7 7 · Eq 8 11 7 NOCASE-8
 */
export const read = (
  sql: SqlClient.SqlClient,
  { names, table }: Pick<EntityRow.Any, "names" | "table">
): Effect.Effect<ReadonlyMap<string, string>> => {
  const compared = names.map((name) => `${qualified(table, name)} = ''`)
  const explained = sql.unsafe<Step>(`EXPLAIN SELECT ${compared.join(", ")} FROM ${quoteTable(table)}`)
  // Unprepared: SQLite does not explain a prepared statement anew when the table has changed. What it refuses, it throws.
  return Effect.match(Effect.catchAllDefect(explained.unprepared, Effect.fail), {
    // No such table or column: another check says so.
    onFailure: () => new Map<string, string>(),
    onSuccess: (steps) => {
      const found = steps.filter(({ opcode }) => opcode === "Eq").map(({ p4 }) => p4 ?? "")
      if (found.length !== names.length) return new Map<string, string>()
      // The row id is compared without a collation.
      return new Map(
        names.flatMap((name, index) => {
          const collation = (found[index] ?? "").replace(/-\d+$/, "").toUpperCase()
          return collation === "" ? [] : [[name, collation] as const]
        })
      )
    }
  })
}

/** The same selection with the collations, at once unless one of them must be read. */
export type Collate = <C extends Columns>(selection: Selection<C>) => Selection<C> | Effect.Effect<Selection<C>>

/** For a database whose subqueries have the collations of their columns. */
export const noCollate: Collate = (selection) => selection

/** Reads each collation once, when a list is first ordered by its column. */
export const makeCollate = (sql: SqlClient.SqlClient): Collate => {
  const known = new Map<string, string>()
  const collationOf = (related: Column): string | undefined => {
    const collation = known.get(keyOf(related))
    return collation === "BINARY" ? undefined : collation
  }
  const readCollations = Effect.fnUntraced(function* ({ column, table }: Column) {
    // Not remembered before the column is there.
    const { name, schema } = tableName(table)
    const found = yield* sql`SELECT 1 FROM pragma_table_xinfo(${name}, ${schema})
      WHERE name = ${column} COLLATE NOCASE`
    if (found.length === 0) return
    const collations = yield* read(sql, { names: [column], table })
    known.set(keyOf({ column, table }), collations.get(column) ?? "BINARY")
  }, Effect.orDie)
  return (selection) => {
    const related = relatedOf(selection)
    if (related.length === 0) return selection
    const unknown = related.filter((one) => !known.has(keyOf(one)))
    return unknown.length === 0
      ? collating(selection, collationOf)
      : Effect.map(Effect.forEach(unknown, readCollations, { discard: true }), () => collating(selection, collationOf))
  }
}

type Column = Pick<ReturnType<typeof relatedOf>[number], "column" | "table">

const keyOf = ({ column, table }: Column): string => JSON.stringify([table, column])
