// The columns of an entity: the kind of their values, and whether they may be null.
import { Schema } from "effect"
import type { ColumnSchema, Kind } from "./ColumnKind.ts"

/** A column: its kind in the database, the type `A` that a program sees, and its form `I` in JSON. */
export interface Column<
  out K extends Kind = Kind,
  out Nullable extends boolean = boolean,
  out A = unknown,
  out I = unknown
> {
  readonly kind: K
  readonly nullable: Nullable
  readonly schema: ColumnSchema<A, I>
  /** Whether values are decoded by the schema. `false` where the type is the one of the kind. */
  readonly decodes: boolean
}

/** The columns of an entity by name. */
export type Columns = Readonly<Record<string, Column>>

const required = <K extends Kind, A, I>(kind: K, schema: Schema.Schema<A, I>): Column<K, false, A, I> => ({
  kind,
  nullable: false,
  schema,
  decodes: false
})

/** Text, ordered by the collation of the database. */
export const text = required("text", Schema.String)

/** A UUID, as text. */
export const uuid = required("uuid", Schema.UUID)

/** A point in time to the microsecond, as ISO 8601 text in UTC. */
export const timestamp = required("timestamp", Schema.String)

/** A whole number that a JavaScript number holds exactly. */
export const integer = required("integer", Schema.Int)

/** A 64-bit integer as a `bigint`; a string in JSON. */
export const bigint = required("bigint", Schema.BigInt)

/** A floating-point number. */
export const float = required("float", Schema.Number)

/** True or false, in SQLite stored as 1 or 0. */
export const boolean = required("boolean", Schema.Boolean)

/** The same column, which may also be null. */
export const nullable = <K extends Kind, A, I>(
  column: Column<K, false, A, I>
): Column<K, true, A | null, I | null> => ({
  ...column,
  nullable: true,
  schema: Schema.NullOr(Schema.make<A, I>(column.schema.ast))
})
