// The columns of an entity: the kind of their values, and whether they may be null.
import { Schema } from "effect"
import type { ColumnSchema, Kind } from "./internal/columns/ColumnKind.ts"
import { misdeclared } from "./internal/Misdeclared.ts"

export type { ColumnSchema } from "./internal/columns/ColumnKind.ts"

/**
 * A filter, pattern or position without an operand, or with one of another type. A mistake in the program: it is thrown
 * before there is a statement. The operand itself is not repeated, since it may be a secret.
 *
 * @example
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Column, Entity, Selection } from "effect-framework/pagination"
 *
 * const Tea = Entity.make("teas", { key: "id", columns: { id: Column.integer, grams: Column.integer } })
 * type Teas = Selection.Selection<typeof Tea.columns>
 *
 * // A plugin in JavaScript: no compiler has seen what it gives to `filter`.
 * export const select = (plugin: (teas: Teas) => Teas) =>
 *   Effect.try({
 *     try: () => plugin(Selection.from(Tea)),
 *     catch: (error) => (Schema.is(Column.InvalidOperand)(error) ? error.message : "The plugin is broken.")
 *   })
 * ```
 */
export class InvalidOperand extends Schema.TaggedError<InvalidOperand>("effect-framework/pagination/InvalidOperand")(
  "InvalidOperand",
  {
    table: Schema.String,
    column: Schema.String,
    /** The operator of a filter, or `match` or `seek`. */
    operator: Schema.String,
    expected: Schema.String,
    /** The type of what was given. */
    given: Schema.String
  }
) {
  override get message() {
    return `"${this.operator}" on ${this.table}.${this.column} needs ${this.expected}, and was given ${this.given}.`
  }
}

/**
 * A stored value that its column's kind does not know, such as text in a column of numbers. No list skips it or shows
 * another value. The value itself is not repeated, since it may be a secret.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Column, Entity, type Repository } from "effect-framework/pagination"
 *
 * const Tea = Entity.make("teas", { key: "id", columns: { id: Column.integer, picked_at: Column.timestamp } })
 *
 * // Reads every row, to find what another program has written in a spelling of its own.
 * export const check = (teas: Repository.For<typeof Tea>) =>
 *   Effect.catchTag(Stream.runDrain(teas.stream()), "ForeignValue", ({ column, kind, table }: Column.ForeignValue) =>
 *     Effect.logError(`A row of ${table} holds no ${kind} in ${column}.`)
 *   )
 * ```
 */
export class ForeignValue extends Schema.TaggedError<ForeignValue>("effect-framework/pagination/ForeignValue")(
  "ForeignValue",
  { table: Schema.String, column: Schema.String, kind: Schema.String }
) {
  override get message() {
    return `${this.table}.${this.column} holds a value that is not a ${this.kind}.`
  }
}

/** A column of a related row, and how its table is reached. */
export interface RelatedColumn {
  readonly table: string
  /** The columns here and those of the other table that hold the same values. */
  readonly links: ReadonlyArray<{
    readonly here: string
    readonly there: string
    /** Whether the two are of kinds that a database compares. */
    readonly isComparable: boolean
  }>
  readonly column: string
  /** By which SQLite compares the column; unless it is the one that it compares by anyway. */
  readonly collation?: string
}

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
  /** The digits after the point: of a decimal, and of the seconds of a timestamp that a schema writes. */
  readonly scale?: number
  /** Where the column is one of a related row, by which a list may be ordered. */
  readonly related?: RelatedColumn
}

/** The columns of an entity by name. */
export type Columns = Readonly<Record<string, Column>>

const required = <K extends Kind, A, I>(kind: K, schema: Schema.Schema<A, I>): Column<K, false, A, I> => ({
  kind,
  nullable: false,
  schema,
  decodes: false
})

const decoded = <K extends Kind, A, I>(kind: K, schema: Schema.Schema<A, I>): Column<K, false, A, I> => ({
  kind,
  nullable: false,
  schema,
  decodes: true
})

/** Text, ordered by the collation of the database. */
export const text = required("text", Schema.String)

/**
 * A UUID, as text.
 *
 * @example
 * ```ts
 * import { Column, Entity, Selection } from "effect-framework/pagination"
 *
 * const Sample = Entity.make("samples", {
 *   key: "id",
 *   columns: { id: Column.uuid, serial: Column.bigint, celsius: Column.float }
 * })
 *
 * // A serial number may be beyond what a number holds exactly.
 * export const tooHot = Selection.from(Sample)
 *   .filter("serial", "greaterOrEqual", 9_007_199_254_740_993n)
 *   .filter("celsius", "greater", 97.5)
 * ```
 */
export const uuid = required("uuid", Schema.UUID)

/** A point in time to the microsecond, as ISO 8601 text in UTC. */
export const timestamp = required("timestamp", Schema.String)

/** A whole number that a JavaScript number holds exactly. */
export const integer = required("integer", Schema.Int)

/** A 64-bit integer as a `bigint`; a string in JSON. */
export const bigint = required("bigint", Schema.BigInt)

type NonFinite = "NaN" | "Infinity" | "-Infinity"

const Float: Schema.Schema<number, number | NonFinite> = Schema.transform(
  Schema.Union(Schema.Number, Schema.Literal("NaN", "Infinity", "-Infinity")),
  Schema.Number,
  {
    strict: true,
    decode: Number,
    encode: (value) =>
      Number.isFinite(value) ? value : Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity"
  }
)

/** A floating-point number; those that JSON does not have are the strings `NaN`, `Infinity` and `-Infinity` there. */
export const float = required("float", Float)

/** True or false, in SQLite stored as 1 or 0. */
export const boolean = required("boolean", Schema.Boolean)

/** A calendar date, as text such as `2024-02-29`. */
export const date = required("date", Schema.String)

/**
 * A time of day to the microsecond, as text such as `12:30:00.000000`.
 *
 * @example
 * ```ts
 * import { Column, Entity, Selection } from "effect-framework/pagination"
 *
 * const Shop = Entity.make("shops", {
 *   key: "id",
 *   columns: {
 *     id: Column.integer,
 *     kind: Column.literal("house", "stall"),
 *     opens: Column.time
 *   }
 * })
 *
 * export const early = Selection.from(Shop)
 *   .filter("kind", "equal", "stall")
 *   .filter("opens", "lessOrEqual", "06:30:00.000000")
 * ```
 */
export const time = required("time", Schema.String)

/**
 * An exact decimal number, as text with this many digits after the point. In SQLite it is stored as an integer of its
 * smallest unit: 12.50 is 1250 in a column of `Column.decimal(2)`.
 *
 * @example
 * ```ts
 * import { Column, Entity, Selection } from "effect-framework/pagination"
 *
 * const Teapot = Entity.make("teapots", { key: "id", columns: { id: Column.integer, price: Column.decimal(2) } })
 *
 * // On PostgreSQL `price NUMERIC(8, 2)`, in SQLite `price INTEGER` with cents.
 * export const affordable = Selection.from(Teapot).filter("price", "lessOrEqual", "12.50").order("Asc", "price")
 * ```
 */
export const decimal = (scale: number): Column<"decimal", false, string, string> => {
  if (!Number.isInteger(scale) || scale < 0 || scale > 18) {
    throw misdeclared("the scale of a decimal is a whole number from 0 to 18")
  }
  return { ...required("decimal", Schema.String), scale }
}

/** One of these texts; ordered as the database orders them, an enum of PostgreSQL by its declaration. */
export const literal = <const L extends readonly [string, ...ReadonlyArray<string>]>(
  ...values: L
): Column<"text", false, L[number], L[number]> => decoded("text", Schema.Literal(...values))

/** Bytes, ordered one by one; base64 in JSON. */
export const bytes: Column<"bytes", false, Uint8Array, string> = decoded("bytes", Schema.Uint8ArrayFromBase64)

/**
 * A JSON value that a schema describes. No list is ordered by it, and filters only ask whether it is null.
 *
 * @example
 * ```ts
 * import { Schema } from "effect"
 * import { Column, Entity, Selection } from "effect-framework/pagination"
 *
 * const Origin = Schema.Struct({ garden: Schema.String, altitude: Schema.Int })
 * const Tea = Entity.make("teas", {
 *   key: "id",
 *   columns: { id: Column.integer, thumbnail: Column.bytes, origin: Column.nullable(Column.json(Origin)) }
 * })
 *
 * export const traced = Selection.from(Tea).filter("origin", "isNotNull")
 * export const altitudeOf = ({ origin }: typeof Tea.schema.Type) => origin?.altitude
 * ```
 */
export const json = <A, I>(schema: Schema.Schema<A, I>): Column<"json", false, A, I> => decoded("json", schema)

/** The same column, which may also be null. */
export const nullable = <K extends Kind, A, I>(
  column: Column<K, false, A, I>
): Column<K, true, A | null, I | null> => ({
  ...column,
  nullable: true,
  schema: Schema.NullOr(Schema.make<A, I>(column.schema.ast))
})
