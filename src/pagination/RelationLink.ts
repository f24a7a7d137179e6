// The columns by which a condition finds related rows.
import type { Columns } from "./Column.ts"
import type { Entity } from "./Entity.ts"
import { columnOf } from "./EntityColumns.ts"
import type * as EntityRow from "./EntityRow.ts"
import type { Link, State } from "./SelectionParts.ts"

/** A relation to rows of an entity with the columns `T`: what `Relation.one` and `Relation.many` return. */
export type Related<C extends Columns, T extends Columns> =
  | { readonly _tag: "One"; readonly target: Entity<T>; readonly columns: ReadonlyArray<keyof C & string> }
  | {
      readonly _tag: "Many"
      readonly target: Entity<T>
      readonly columns: ReadonlyArray<keyof T & string>
      readonly list: State
    }

/** The columns of a relation. Throws where one column would refer to a key of several. */
export const linkOf = <C extends Columns, T extends Columns>(entity: Entity<C>, relation: Related<C, T>): Link => {
  const { target } = relation
  const referred = relation._tag === "One" ? target : entity
  const [column, ...others] = relation.columns
  if (referred.keys.length > 1 || column === undefined || others.length > 0) {
    throw new TypeError(`${referred.table} has a key of several columns, and one refers to it`)
  }
  const [here, there]: readonly [string, string] = relation._tag === "One" ? [column, target.key] : [entity.key, column]
  columnOf(entity, here)
  columnOf(target, there)
  return { target, here, there }
}

const identities = new WeakMap<EntityRow.Any, number>()
let identified = 0

/** A number for each entity: two of them may name one table and declare its columns differently. */
export const identify = (entity: EntityRow.Any): number => {
  const known = identities.get(entity)
  if (known !== undefined) return known
  identities.set(entity, ++identified)
  return identified
}
