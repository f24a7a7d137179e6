// One list of a model: what it asks for, the size of its parts, and the way in which it is read.
import { FastCheck as fc } from "effect"
import type * as Pagination from "../../../../src/pagination/Pagination.ts"
import * as Disturbance from "./Disturbance.ts"
import * as Query from "./Query.ts"
import type { Table } from "./Table.ts"
import * as Writer from "./Writer.ts"

type Writes = ReadonlyArray<Writer.Write>

/** On to the next part or back to the previous one, or from any row of the last part. */
export interface Move {
  readonly direction: "after" | "before"
  readonly pick: number | undefined
}

/** One way to read a list. The writes of a race happen at the same time, all others between two parts. */
export type Walk =
  | { readonly _tag: "Forth" | "Back" | "Race"; readonly writes: Writes }
  | { readonly _tag: "Turns"; readonly moves: ReadonlyArray<Move>; readonly writes: Writes }
  | { readonly _tag: "Page"; readonly page: number; readonly counting: Pagination.Counting; readonly totalCap: number }
  | { readonly _tag: "Stream" }

export interface List {
  readonly query: Query.Query
  readonly limit: number
  readonly walk: Walk
  readonly disturbance: Disturbance.Disturbance
}

const move: fc.Arbitrary<Move> = fc.record({
  direction: fc.constantFrom("after", "before"),
  pick: fc.option(fc.nat(50), { nil: undefined })
})

const walk = (table: Table): fc.Arbitrary<Walk> => {
  const writes = fc.array(Writer.write(table), { maxLength: 4 })
  return fc.oneof(
    fc.record({ _tag: fc.constantFrom("Forth" as const, "Back" as const, "Race" as const), writes }),
    fc.record({ _tag: fc.constant("Turns" as const), moves: fc.array(move, { minLength: 2, maxLength: 7 }), writes }),
    fc.record({
      _tag: fc.constant("Page" as const),
      page: fc.integer({ min: 1, max: 6 }),
      counting: fc.constantFrom<Pagination.Counting>("exact", "capped", "estimated", "none"),
      totalCap: fc.integer({ min: 1, max: 20 })
    }),
    fc.record({ _tag: fc.constant("Stream" as const) })
  )
}

/** Any list of a table. */
export const list = (table: Table): fc.Arbitrary<List> =>
  fc.record({
    query: Query.query(table),
    limit: fc.integer({ min: 1, max: 8 }),
    walk: walk(table),
    disturbance: Disturbance.disturbance(table.engine)
  })

/** A list as a person reads it in a failure. */
export const describe = ({ disturbance, limit, query: { filters, orders }, walk }: List): string => {
  const ordered = orders.map(({ column, direction, nulls }) => `${column} ${direction} ${nulls ?? ""}`.trim())
  return `${disturbance._tag}, ${walk._tag} by ${limit}, ordered by ${ordered.join(", ")}, where ${filters.map(({ label }) => label).join(" and ")}`
}
