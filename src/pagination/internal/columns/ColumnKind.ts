// The kinds of a column, and the values that each of them holds.
import type { SchemaAST } from "effect"

/** A value of a column that is not null: what an order column holds, and what a cursor contains. */
export type Scalar = string | number | bigint | boolean

/** The kinds of a column, with the type of their values. */
export interface Kinds {
  readonly text: string
  readonly uuid: string
  /** ISO 8601 in UTC with microseconds: a `Date` would truncate them, and a cursor made of it would skip rows. */
  readonly timestamp: string
  readonly integer: number
  /** 64 bits, more than a number holds exactly. */
  readonly bigint: bigint
  readonly float: number
  readonly boolean: boolean
  /** A calendar date, `2024-02-29`. */
  readonly date: string
  /** A time of day, `12:30:00.000000`. */
  readonly time: string
  /** Digits, as many after the point as the column has. */
  readonly decimal: string
  /** Base64. */
  readonly bytes: string
  /** Any JSON value; it has no order. */
  readonly json: unknown
}

/** The name of a kind. */
export type Kind = keyof Kinds

/** The kinds of whole numbers, which compare with each other. */
export const integers: ReadonlyArray<Kind> = ["integer", "bigint"]

/** The covariant part of a `Schema`: a column of any type is assignable to `Column`. */
export interface ColumnSchema<out A, out I> {
  readonly Type: A
  readonly Encoded: I
  readonly Context: never
  readonly ast: SchemaAST.AST
}
