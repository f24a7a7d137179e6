// An entity: a table, its columns and its primary key. The compiler checks the columns of a selection against it.
import { Schema } from "effect"
import type { Column, Columns } from "./Column.ts"
import type { Kind } from "./internal/columns/ColumnKind.ts"
import * as EntityRow from "./internal/columns/EntityRow.ts"
import * as SchemaColumn from "./internal/columns/SchemaColumn.ts"
import * as StartupLine from "../config/internal/StartupLine.ts"
import { misdeclared } from "./internal/Misdeclared.ts"

export type { Declared, FullTextIndex, Identity } from "./internal/columns/EntityRow.ts"

/**
 * The declaration of an entity does not fit its table. A list over it would lose rows or repeat them for ever.
 *
 * @example
 * ```ts
 * import { Effect, Option } from "effect"
 * import { Column, Entity } from "effect-framework/pagination"
 * import { SqlRepository } from "effect-framework/layers/pagination"
 *
 * const Tea = Entity.make("teas", { key: "id", columns: { id: Column.integer, name: Column.text } })
 *
 * // The table belongs to another program, which may change it: without it there is no list of teas, and all else works.
 * export const teas = Effect.catchTag(
 *   Effect.asSome(SqlRepository.make(Tea)),
 *   "EntityMismatch",
 *   ({ message }: Entity.EntityMismatch) => Effect.as(Effect.logWarning(message), Option.none())
 * )
 * ```
 */
export class EntityMismatch extends Schema.TaggedError<EntityMismatch>("effect-framework/pagination/EntityMismatch")(
  "EntityMismatch",
  {
    table: Schema.String,
    /** The columns that differ, with what was declared and what the database has; none where there is no such table. */
    problems: Schema.Array(Schema.Struct({ column: Schema.String, declared: Schema.String, found: Schema.String }))
  }
) {
  get [StartupLine.symbol](): string {
    return "an-entity-and-its-table"
  }
  override get message() {
    const all = this.problems.map(
      ({ column, declared, found }) => `${column} is declared as ${declared}, found ${found}`
    )
    return `The entity does not fit the table ${this.table}: ${all.join("; ") || "there is no such table"}.`
  }
}

/** Columns that are never null: only these can be a key. */
type Required<C extends Columns> = {
  readonly [N in keyof C]: C[N] extends Column<Kind, false> ? N : never
}[keyof C] &
  string

// One column or several.
type Key<C extends Columns> = Required<C> | readonly [Required<C>, ...ReadonlyArray<Required<C>>]

type KeyName<K> = K extends ReadonlyArray<infer N> ? N & string : K & string

type Facts<T extends string, K, S> = EntityRow.Declared<T, KeyName<K>, S extends undefined ? false : true>

/** A table that can be selected from and paginated. The type of its rows is `typeof entity.schema.Type`. */
export interface Entity<C extends Columns = Columns, D extends EntityRow.Declared = EntityRow.Declared> {
  readonly [EntityRow.identity]: EntityRow.Identity<D>
  readonly table: string
  /** The primary key, or the first column of it. */
  readonly key: keyof C & string
  /** All columns of the primary key. */
  readonly keys: ReadonlyArray<keyof C & string>
  readonly columns: C
  readonly names: ReadonlyArray<keyof C & string>
  /** The schema of a row in JSON. */
  readonly schema: Schema.Schema<EntityRow.Row<C>, EntityRow.Encoded<C>>
  /** The full-text index, which `search` of a selection reads. */
  readonly search?: EntityRow.FullTextIndex | undefined
}

/** The columns that a search reads. */
export interface Search<C extends Columns> {
  /** The texts that are searched. */
  readonly columns: readonly [Texts<C>, ...ReadonlyArray<Texts<C>>]
  /** The FTS5 table of SQLite, and the name of an index that is missing in PostgreSQL; by default that of the table with `_search`. */
  readonly table?: string
  /** The text search configuration of PostgreSQL, such as `english`; by default `simple`. */
  readonly config?: string
  /** A column of PostgreSQL that stores the vector; by default the index is over an expression. */
  readonly vector?: string
}

type Texts<C extends Columns> = { readonly [N in keyof C]: "text" extends C[N]["kind"] ? N : never }[keyof C] & string

/**
 * The entity of a table with these columns. A key of several columns is a list of their names.
 *
 * @example
 * ```ts
 * import { Column, Entity } from "effect-framework/pagination"
 *
 * export const Article = Entity.make("articles", {
 *   key: "id",
 *   columns: { id: Column.integer, title: Column.text, stars: Column.nullable(Column.integer) }
 * })
 * ```
 */
export const make = <
  const C extends Columns,
  const T extends string = string,
  const K extends Key<C> = Key<C>,
  const S extends Search<C> | undefined = undefined
>(
  table: T,
  { columns, search, ...given }: { readonly key: K; readonly columns: C; readonly search?: S }
): Entity<C, Facts<T, K, S>> => {
  const key: Key<C> = given.key
  const keys: ReadonlyArray<Required<C>> = typeof key === "string" ? [key] : key
  const [first] = keys
  if (first === undefined) throw misdeclared(`${table} has no key`)
  for (const name of keys) {
    if (columns[name]?.kind === "json") throw misdeclared(`${table}.${name} holds JSON, which cannot be a key`)
  }
  const fields = Object.entries(columns).map(([name, { schema }]) => [name, Schema.make(schema.ast)] as const)
  const entity = {
    table,
    key: first,
    keys,
    columns,
    names: Object.keys(columns),
    ...(search !== undefined && { search: EntityRow.fullTextIndex(table, search) }),
    // A boundary: a list of fields does not show which name has which schema; `Row` and `Encoded` do.
    schema: Schema.Struct(Object.fromEntries(fields)) as unknown as Schema.Schema<
      EntityRow.Row<C>,
      EntityRow.Encoded<C>
    >
  }
  // A boundary: the types of the parameters say the same.
  const declared = { table, key: first, search: search !== undefined } as unknown as Facts<T, K, S>
  return { ...entity, [EntityRow.identity]: EntityRow.identityOf(declared, entity) }
}

/** What an entity is made of beside its table. */
export interface FromSchema<F extends SchemaColumn.Fields, K = unknown, S = unknown> {
  readonly key: K
  readonly schema: { readonly fields: F }
  /** The columns that are decimals, with their digits after the point, such as `{ price: 2 }`. */
  readonly scales?: Readonly<Partial<Record<keyof F & string, number>>>
  readonly search?: S
}

/**
 * The entity of a table whose rows a schema describes: a `Schema.Struct`, a `Schema.Class` or a `Model.Class`. Brands and
 * transformations apply to items and to operands; the encoded side is what the database holds and what JSON contains.
 *
 * @example
 * ```ts
 * import { Schema } from "effect"
 * import { Entity } from "effect-framework/pagination"
 *
 * const ArticleId = Schema.Number.pipe(Schema.brand("ArticleId"))
 *
 * export const Article = Entity.fromSchema("articles", {
 *   key: "id",
 *   schema: Schema.Struct({ id: ArticleId, title: Schema.String, published_at: Schema.DateTimeUtc })
 * })
 * ```
 */
export const fromSchema = <
  const F extends SchemaColumn.Fields,
  const T extends string = string,
  const K extends Key<SchemaColumn.ColumnsOf<F>> = Key<SchemaColumn.ColumnsOf<F>>,
  const S extends Search<SchemaColumn.ColumnsOf<F>> | undefined = undefined
>(
  table: T,
  { key, scales, schema, search }: FromSchema<F, K, S>
): Entity<SchemaColumn.ColumnsOf<F>, Facts<T, K, S>> => {
  const columns = Object.entries(schema.fields).map(([name, field]) => {
    const column = SchemaColumn.make(field, scales?.[name])
    if (column === undefined) throw misdeclared(`${table}.${name} is encoded to a value that no column holds`)
    return [name, column] as const
  })
  // A boundary: a list of columns does not show which name has which kind; `ColumnsOf` does.
  const all = Object.fromEntries(columns) as unknown as SchemaColumn.ColumnsOf<F>
  return make(table, { key, columns: all, ...(search !== undefined && { search }) })
}
