// An entity as code that does not know its columns at compile time reads it.
import type * as Column from "./Column.ts"
import type { Any, Entity } from "./Entity.ts"

/** The same entity for code that learns its columns only when it runs. */
export const erase = ({ columns, key, names, schema, table }: Any): Entity => ({ table, key, columns, names, schema })

/** Whether rows hold 64-bit integers, which `JSON.stringify` refuses. */
export const hasBigInt = (entity: Any): boolean =>
  Object.values(entity.columns).some((column) => column.kind === "bigint")

/** The column of a name; a name that is none is a mistake in the program, never something a client can cause. */
export const columnOf = (entity: Any, name: string): Column.Column => {
  const column = Object.hasOwn(entity.columns, name) ? entity.columns[name] : undefined
  if (column === undefined) throw new TypeError(`"${name}" is not a column of ${entity.table}`)
  return column
}
