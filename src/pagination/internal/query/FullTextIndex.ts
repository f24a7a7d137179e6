// The full-text index of an entity, as it is declared.

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
export const make = (table: string, { columns, config = "simple", vector, ...given }: Declared): FullTextIndex => ({
  columns,
  table: given.table ?? `${table}_search`,
  config,
  vector
})
