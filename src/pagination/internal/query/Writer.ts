// The text of a statement and its places: each placeholder is counted where it is written.
import type { Kind } from "../columns/ColumnKind.ts"
import { type Dialect, quote, quoteTable, tableName } from "./Dialect.ts"

/** The text of a shape, and which of the selection's values each of its places takes. */
export interface Query {
  readonly text: string
  readonly slots: ReadonlyArray<number>
}

/** Counts the placeholders of a statement. */
export class Writer {
  readonly dialect: Dialect
  /** The number that stands in the text as every limit of rows, in place of a value. */
  readonly bound: number | undefined
  readonly #slots: Array<number> = []
  #count = 0

  constructor(dialect: Dialect, bound?: number) {
    this.dialect = dialect
    this.bound = bound
  }

  place(index: number, kind: Kind): string {
    if (this.dialect.numbered) this.#count = Math.max(this.#count, index + 1)
    else this.#slots.push(index)
    return this.dialect.place(index, kind)
  }

  /** The text, with which of the selection's values each of its places takes. */
  end(text: string): Query {
    return { text, slots: this.dialect.numbered ? Array.from({ length: this.#count }, (_, slot) => slot) : this.#slots }
  }
}

/** A name for a part of a statement that none of its tables has, which it would hide or be hidden by. */
export const aliasOf = (name: string, tables: ReadonlyArray<string>): string =>
  tables.some((table) => tableName(table).name === name) ? aliasOf(`${name}_`, tables) : name

/** A column of a table or of a subquery. */
export const qualified = (source: string, name: string): string => `${quoteTable(source)}.${quote(name)}`
