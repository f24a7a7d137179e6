// Rows strictly after a position, written so that the database searches an index and reads only what it returns.
import type { Kind } from "./ColumnKind.ts"
import type { Dialect } from "./Dialect.ts"
import type { Direction } from "./Selection.ts"

/** One comparison of row values, or one branch for each column that may differ first. Never a chain of ORs. */
export type Form = "row" | "split"

/** A row value has one direction for all its columns. */
export const choose = (dialect: Dialect, directions: ReadonlyArray<Direction>, last: Kind): Form => {
  if (directions.length < 2) return "row"
  if (new Set(directions).size > 1) return "split"
  return dialect.seeksIntegerKeys || (last !== "integer" && last !== "bigint") ? "row" : "split"
}

/** A column of the position with the place of its value. */
export interface Step {
  readonly column: string
  readonly direction: Direction
  /** A new placeholder for each call. */
  readonly place: () => string
}

const after = (direction: Direction): string => (direction === "Asc" ? ">" : "<")

/**
 * One comparison of row values.
 *
 * => ("t"."a", "t"."id") > (?, ?)
 */
export const row = (steps: ReadonlyArray<Step>): string => {
  const [first, ...rest] = steps
  if (first === undefined) return ""
  if (rest.length === 0) return `${first.column} ${after(first.direction)} ${first.place()}`
  const columns = steps.map((step) => step.column).join(", ")
  return `(${columns}) ${after(first.direction)} (${steps.map((step) => step.place()).join(", ")})`
}

/**
 * The branches in the order in which their rows come: those that tie in all columns but the last, then fewer ties.
 *
 * => "t"."a" = ? AND "t"."id" > ?
 * => "t"."a" < ?
 */
export const branch = (steps: ReadonlyArray<Step>, ties: number): string =>
  steps
    .slice(0, ties + 1)
    .map((step, index) => `${step.column} ${index < ties ? "=" : after(step.direction)} ${step.place()}`)
    .join(" AND ")
