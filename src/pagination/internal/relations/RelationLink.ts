// The columns by which a condition finds related rows.
import type { Columns } from "../../Column.ts"
import type { Entity } from "../../Entity.ts"
import { columnOf } from "../columns/EntityColumns.ts"
import type { Link, State } from "../query/SelectionParts.ts"
import { misdeclared } from "../Misdeclared.ts"

/** A relation to rows of an entity with the columns `T`: what `Relation.one` and `Relation.many` return. */
export type Related<C extends Columns, T extends Columns> =
  | { readonly _tag: "One"; readonly target: Entity<T>; readonly columns: ReadonlyArray<keyof C & string> }
  | {
      readonly _tag: "Many"
      readonly target: Entity<T>
      readonly columns: ReadonlyArray<keyof T & string>
      readonly list: State
    }

/** The columns of a relation. Throws where a key has more columns than refer to it. */
export const linkOf = <C extends Columns, T extends Columns>(entity: Entity<C>, relation: Related<C, T>): Link => {
  const { target } = relation
  const [heres, theres]: readonly [ReadonlyArray<string>, ReadonlyArray<string>] =
    relation._tag === "One" ? [relation.columns, target.keys] : [entity.keys, relation.columns]
  const [first, ...more] = heres.map((here, index) => [here, theres[index] ?? ""] as const)
  if (first === undefined || heres.length !== theres.length) {
    const referred = relation._tag === "One" ? target : entity
    throw misdeclared(`${referred.table} has a key of ${referred.keys.length} columns, and others refer to it`)
  }
  for (const [here, there] of [first, ...more]) {
    columnOf(entity, here)
    columnOf(target, there)
  }
  return { target, here: first[0], there: first[1], ...(more.length > 0 && { more }) }
}
