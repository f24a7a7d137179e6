// The rows of an entity as types, and an entity whose columns the compiler does not know.
import type { Schema } from "effect"
import type { Columns } from "../../Column.ts"
import type { FullTextIndex } from "../query/FullTextIndex.ts"

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
