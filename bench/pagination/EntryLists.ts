// The lists of the measurements, and a row of the results.
import { SqlClient } from "@effect/sql"
import { Effect, Either } from "effect"
import * as CursorToken from "../../src/pagination/internal/columns/CursorToken.ts"
import * as Keyset from "../../src/pagination/internal/query/Keyset.ts"
import * as Pagination from "../../src/pagination/Pagination.ts"
import * as Selection from "../../src/pagination/Selection.ts"
import { median } from "../Rounds.ts"
import type { Row } from "../Row.ts"
import { Entry } from "./Entries.ts"
import { ratio } from "./Timing.ts"

/** How long the list is, and how often a part of it is read. */
export interface Size {
  readonly total: number
  readonly runs: number
}

export const all = Selection.from(Entry)
export const lists = {
  "one column": all.order("Asc", "id"),
  "two columns": all.order("Asc", "at").order("Asc", "id"),
  "mixed directions": all.order("Desc", "at").order("Asc", "id"),
  "mixed, correlated columns": all.order("Desc", "day").order("Asc", "hour").order("Asc", "id"),
  "nulls last": all.order("Asc", "due", "Last").order("Asc", "id")
} as const
export type Name = keyof typeof lists
export const names = Object.keys(lists).filter((name): name is Name => name in lists)

export const asked = (options: Parameters<typeof Pagination.make>[0]) => Either.getOrThrow(Pagination.make(options))

export type Found = Readonly<Record<string, unknown>>

export const row = (
  subject: string,
  ours: ReadonlyArray<number> = [],
  peer: ReadonlyArray<number> = [],
  bar?: number
): Row => ({
  subject,
  ours: median(ours),
  peer: median(peer),
  unit: "ms",
  ratio: ratio(ours, peer),
  bar,
  better: "lower"
})

export const rowAt = (name: Name, depth: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = Keyset.orders(lists[name]).map(
      ({ column, direction, nulls }) => `"${column}" ${direction}${nulls === undefined ? "" : ` NULLS ${nulls}`}`
    )
    const [found = {}] = yield* sql.unsafe<Found>(
      `SELECT * FROM entries ORDER BY ${columns.join()} LIMIT 1 OFFSET ${depth - 1}`
    )
    return found
  })

export const cursorOf = (name: Name, row: Found): string => {
  const values = Keyset.orders(lists[name]).map(({ column }) => row[column])
  return Either.getOrThrow(
    CursorToken.encode(
      values,
      values.map(() => true)
    )
  )
}
