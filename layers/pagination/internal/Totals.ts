// How many rows a list has: exactly, up to a cap, or by the statistics of PostgreSQL.
import { Effect, Either, Schema } from "effect"
import type { Dialect } from "../../../src/pagination/internal/query/Dialect.ts"
import { type Accuracy, make, type PagePart } from "../../../src/pagination/Pagination.ts"
import type { Plan } from "./SeekPlanner.ts"
import type * as Statements from "./Statements.ts"

/** The number of rows, and what this number is. */
interface Total {
  readonly total: number | null
  readonly accuracy: Accuracy | null
}

/** The total of a list; `values` are those of its filters. */
export const read = (
  dialect: Dialect,
  plan: Plan,
  { counting, totalCap }: Pick<PagePart, "counting" | "totalCap">,
  values: ReadonlyArray<unknown>
): Effect.Effect<Total, Statements.RefusedValue> => {
  switch (counting) {
    case "none":
      return Effect.succeed({ total: null, accuracy: null })
    case "capped":
      return capped(plan, totalCap, values)
    case "estimated":
      // SQLite has no statistics of filters.
      return dialect.name === "pg" ? estimated(plan, totalCap, values) : capped(plan, totalCap, values)
    default:
      return Effect.map(plan.count(values), ([row]) => ({ total: Number(row?.[0]), accuracy: "exact" }))
  }
}

const capped = (plan: Plan, cap: number, values: ReadonlyArray<unknown>) =>
  Effect.map(plan.countUpTo([...values, cap + 1]), ([row]): Total => {
    const found = Number(row?.[0])
    return found > cap ? { total: cap, accuracy: "atLeast" } : { total: found, accuracy: "exact" }
  })

const Explained = Schema.Tuple(Schema.Struct({ Plan: Schema.Struct({ "Plan Rows": Schema.Number }) }))
const isExplained = Schema.is(Explained)

// The planner is right about many rows and wrong about few, which are counted: also where its statistics are old.
const estimated = (plan: Plan, cap: number, values: ReadonlyArray<unknown>) =>
  Effect.flatMap(plan.estimate(values), ([row]): Effect.Effect<Total, Statements.RefusedValue> => {
    const explained = row?.[0]
    const rows = isExplained(explained) ? explained[0].Plan["Plan Rows"] : 0
    if (rows > cap) return Effect.succeed({ total: rows, accuracy: "estimated" })
    return Effect.map(capped(plan, cap, values), (total) =>
      total.accuracy === "exact" ? total : { total: cap, accuracy: "atLeast" }
    )
  })

/** The first page. */
export const firstPage: PagePart = Either.getOrThrow(make())

/** The rows before the page, at most the largest offset that a database accepts. */
export const offset = ({ limit, page }: PagePart): number => Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER)

/** The number of pages for this many rows: 0 when there are none. */
export const pageCount = (total: number, limit: number): number => Math.ceil(total / limit)
