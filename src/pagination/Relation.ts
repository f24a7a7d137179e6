// Related rows in another table, loaded for a whole page by one query.
import type { Column, Columns } from "./Column.ts"
import type * as Entity from "./Entity.ts"
import type { Many, One } from "./RelationItem.ts"

/** The row that a column of this entity refers to, such as the author of an article. */
export const one = <T extends Columns, N extends string>(
  target: Entity.Entity<T>,
  column: N
): One<Readonly<Record<N, Column>>, T> => {
  if (target.keys.length > 1) throw new TypeError(`${target.table} has a key of several columns, and one refers to it`)
  return { _tag: "One", target, column }
}

/** The rows whose column refers to the key of this entity, such as the comments of an article. */
export const many = <T extends Columns>(target: Entity.Entity<T>, column: keyof T & string): Many<T> => ({
  _tag: "Many",
  target,
  column
})
