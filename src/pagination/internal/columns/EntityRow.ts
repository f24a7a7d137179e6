// The rows of an entity as types, and an entity whose columns the compiler does not know.
import type { Schema } from "effect"
import type { Columns } from "../../Column.ts"

/** The TypeScript type of a row. */
export type Row<C extends Columns> = { readonly [N in keyof C]: C[N]["schema"]["Type"] }

/** A row in JSON. */
export type Encoded<C extends Columns> = { readonly [N in keyof C]: C[N]["schema"]["Encoded"] }

/** An entity whose columns are not known to the compiler. */
export interface Any {
  readonly table: string
  readonly key: string
  readonly keys: ReadonlyArray<string>
  readonly columns: Columns
  readonly names: ReadonlyArray<string>
  readonly schema: Schema.Schema.AnyNoContext
  readonly search?: FullTextIndex | undefined
}

/** The index with its defaults. */
export interface FullTextIndex {
  readonly columns: ReadonlyArray<string>
  /** The FTS5 table of SQLite, and the name of the index in PostgreSQL. */
  readonly table: string
  /** The text search configuration of PostgreSQL. */
  readonly config: string
  /** The column of PostgreSQL that stores the vector. */
  readonly vector: string | undefined
}

interface Declared {
  readonly columns: ReadonlyArray<string>
  readonly table?: string | undefined
  readonly config?: string | undefined
  readonly vector?: string | undefined
}

/** The index of a table. */
export const fullTextIndex = (
  table: string,
  { columns, config = "simple", vector, ...given }: Declared
): FullTextIndex => ({
  columns,
  table: given.table ?? `${table}_search`,
  config,
  vector
})
