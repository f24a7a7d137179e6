// The rows of an entity as types, and an entity whose columns the compiler does not know.
import type { Schema } from "effect"
import type { Columns } from "../../Column.ts"
import { misdeclared } from "../Misdeclared.ts"

/** The TypeScript type of a row. */
export type Row<C extends Columns> = { readonly [N in keyof C]: C[N]["schema"]["Type"] }

/** A row in JSON. */
export type Encoded<C extends Columns> = { readonly [N in keyof C]: C[N]["schema"]["Encoded"] }

/** What the compiler knows of an entity beside its columns: two tables with equal columns are two entities. */
export interface Declared<T extends string = string, K extends string = string, S extends boolean = boolean> {
  readonly table: T
  readonly key: K
  readonly search: S
}

/** The property of an entity that says which one it is; it stays when columns of related rows are added. */
export const identity: unique symbol = Symbol.for("effect-framework/pagination/Entity/identity")

/** An entity whose columns are not known to the compiler. */
export interface Any {
  readonly [identity]: Identity
  readonly table: string
  readonly key: string
  readonly keys: ReadonlyArray<string>
  readonly columns: Columns
  readonly names: ReadonlyArray<string>
  readonly schema: Schema.Schema.AnyNoContext
  readonly search?: FullTextIndex | undefined
}

/** Entities of one declaration are the same, wherever it is written. */
export interface Identity<D extends Declared = Declared> {
  readonly declared: D
  readonly text: string
}

/** What an entity is declared as. Schemas play no part: they decode rows and encode operands outside of a statement. */
export const identityOf = <D extends Declared>(declared: D, entity: Omit<Any, typeof identity>): Identity<D> => {
  const columns = Object.entries(entity.columns).map(([name, { kind, nullable, scale }]) => [
    name,
    kind,
    nullable,
    scale
  ])
  return { declared, text: JSON.stringify([entity.table, entity.keys, columns, entity.search]) }
}

const numbers = new Map<string, number>()

/** A number for each declaration, short enough for the key of a plan. */
export const numberOf = ({ [identity]: { text } }: Any): number => {
  const known = numbers.get(text)
  if (known !== undefined) return known
  numbers.set(text, numbers.size + 1)
  return numbers.size
}

/** Throws where a selection is one of another entity: its rows would be taken for those of this one. */
export const assertSame = (expected: Any, given: Any): void => {
  if (given[identity].text === expected[identity].text) return
  throw misdeclared(`a selection of ${given.table} does not select from ${expected.table}, or declares it differently`)
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

interface GivenIndex {
  readonly columns: ReadonlyArray<string>
  readonly table?: string | undefined
  readonly config?: string | undefined
  readonly vector?: string | undefined
}

/** The index of a table. */
export const fullTextIndex = (
  table: string,
  { columns, config = "simple", vector, ...given }: GivenIndex
): FullTextIndex => ({
  columns,
  table: given.table === undefined ? `${table}_search` : besides(table, given.table),
  config,
  vector
})

// An FTS5 table is in the schema of its table.
const besides = (table: string, index: string): string =>
  index.includes(".") || !table.includes(".") ? index : `${table.slice(0, table.indexOf("."))}.${index}`
