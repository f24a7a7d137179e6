// An entity: a table, its columns and its primary key. The compiler checks the columns of a selection against it.
import { Schema } from "effect"
import type * as Column from "./Column.ts"
import * as ColumnValue from "./ColumnValue.ts"

/** Columns that always hold a value: only these can be a key. */
type Required<C extends Column.Columns> = {
  readonly [N in keyof C]: C[N] extends Column.Column<Column.Kind, false> ? N : never
}[keyof C] &
  string

/** The TypeScript type of a row. */
export type Row<C extends Column.Columns> = { readonly [N in keyof C]: Column.Type<C[N]> }

/** A row in JSON. */
export type Encoded<C extends Column.Columns> = { readonly [N in keyof C]: Column.Encoded<C[N]> }

/** A table that can be selected from and paginated. */
export interface Entity<C extends Column.Columns = Column.Columns> {
  readonly table: string
  readonly key: keyof C & string
  readonly columns: C
  readonly names: ReadonlyArray<keyof C & string>
  /** The schema of a row in JSON. */
  readonly schema: Schema.Schema<Row<C>, Encoded<C>>
}

/** An entity whose columns are not known to the compiler. */
export interface Any {
  readonly table: string
  readonly key: string
  readonly columns: Column.Columns
  readonly names: ReadonlyArray<string>
  readonly schema: Schema.Schema.AnyNoContext
}

/** The entity of a table. */
export const make = <const C extends Column.Columns>(
  table: string,
  definition: { readonly key: Required<C>; readonly columns: C }
): Entity<C> => {
  const fields = Object.entries(definition.columns).map(
    ([name, column]) => [name, ColumnValue.schemaOf(column)] as const
  )
  return {
    table,
    key: definition.key,
    columns: definition.columns,
    names: Object.keys(definition.columns),
    // A boundary: a list of fields cannot say which name has which schema, `Row` and `Encoded` say it.
    schema: Schema.Struct(Object.fromEntries(fields)) as unknown as Schema.Schema<Row<C>, Encoded<C>>
  }
}
