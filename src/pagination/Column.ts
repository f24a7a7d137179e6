// The columns of an entity: what kind of value each holds, and whether it may be missing.

/** What an order column may hold, and so what a cursor may carry. */
export type Scalar = string | number | bigint | boolean

/** The kinds of a column and what a program sees of them. */
export interface Kinds {
  readonly text: string
  readonly uuid: string
  /** ISO 8601 in UTC with microseconds: a `Date` would cut them off, and a cursor made of it would lose rows. */
  readonly timestamp: string
  readonly integer: number
  /** 64 bits, past what a number holds exactly. */
  readonly bigint: bigint
  readonly float: number
  readonly boolean: boolean
}

/** The name of a kind. */
export type Kind = keyof Kinds

/** A column of one kind that may or may not be missing. */
export interface Column<out K extends Kind = Kind, out Nullable extends boolean = boolean> {
  readonly kind: K
  readonly nullable: Nullable
}

/** The columns of an entity by name. */
export type Columns = Readonly<Record<string, Column>>

/** The TypeScript type of a column. */
export type Type<C extends Column> =
  C extends Column<infer K, infer N> ? Kinds[K] | (N extends true ? null : never) : never

/** The JSON type of a column; a 64-bit integer is a string. */
export type Encoded<C extends Column> =
  C extends Column<infer K, infer N>
    ? (K extends "bigint" ? string : Kinds[K]) | (N extends true ? null : never)
    : never

const required = <K extends Kind>(kind: K): Column<K, false> => ({ kind, nullable: false })

/** Text, ordered as the database orders it. */
export const text = required("text")

/** A UUID, as text. */
export const uuid = required("uuid")

/** A moment to the microsecond, as ISO 8601 text in UTC. */
export const timestamp = required("timestamp")

/** A whole number that a JavaScript number holds exactly. */
export const integer = required("integer")

/** A 64-bit integer as a `bigint`. */
export const bigint = required("bigint")

/** A floating-point number. */
export const float = required("float")

/** True or false, in SQLite stored as 1 or 0. */
export const boolean = required("boolean")

/** The same kind of value, or none. */
export const nullable = <K extends Kind>(column: Column<K, false>): Column<K, true> => ({ ...column, nullable: true })
