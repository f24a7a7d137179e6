// An entity as code that does not know its columns at compile time reads it.
import { Schema } from "effect"
import type { Column, Columns } from "../../Column.ts"
import type { Kind } from "./ColumnKind.ts"
import type { Entity } from "../../Entity.ts"
import { type Any, type Declared, identity } from "./EntityRow.ts"
import { misdeclared } from "../Misdeclared.ts"

/** The same entity without the types of its columns: operands are values of their kinds. */
export const erase = (entity: Any): Entity => {
  const { columns, key, keys, names, schema, search, table } = entity
  const plain: Columns = Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, { ...column, decodes: false }])
  )
  return { table, key, keys, columns: plain, names, schema, search, [identity]: entity[identity] }
}

/** Whether an entity has a column of this kind. */
export const hasKind = (entity: Any, kind: Kind): boolean =>
  Object.values(entity.columns).some((column) => column.kind === kind)

/** The column of a name. An unknown name is a mistake in the program, never something that a client can cause. */
export const columnOf = (entity: Any, name: string): Column => {
  const column = Object.hasOwn(entity.columns, name) ? entity.columns[name] : undefined
  if (column === undefined) throw misdeclared(`"${name}" is not a column of ${entity.table}`)
  return column
}

/** The same entity with some of its columns; with all by default. */
export const narrow = <C extends Columns, N extends keyof C & string, D extends Declared>(
  entity: Entity<C, D>,
  names: ReadonlyArray<string> = entity.names
): Entity<Pick<C, N>, D> => {
  const { key, keys, search, table } = entity
  const chosen = [...new Set(names)]
  const columns = Object.fromEntries(chosen.map((name) => [name, columnOf(entity, name)]))
  const fields = Object.entries(columns).map(([name, { schema }]) => [name, Schema.make(schema.ast)] as const)
  const schema = names === entity.names ? entity.schema : Schema.Struct(Object.fromEntries(fields))
  // A boundary: a list of fields does not show which name has which schema. The key may be among the other columns.
  const narrowed = { table, key, keys, columns, names: chosen, schema, search, [identity]: entity[identity] }
  return narrowed as unknown as Entity<Pick<C, N>, D>
}
