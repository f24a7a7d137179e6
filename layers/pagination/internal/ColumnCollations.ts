// The collations by which SQLite compares the columns of a table. Its catalogue does not list them, its programs do.
import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { quote } from "../../../src/pagination/internal/query/Dialect.ts"
import type * as EntityRow from "../../../src/pagination/internal/columns/EntityRow.ts"
import { qualified } from "../../../src/pagination/internal/query/Writer.ts"

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
  const explained = sql.unsafe<Step>(`EXPLAIN SELECT ${compared.join(", ")} FROM ${quote(table)}`)
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
