// The relations of an entity, and the type of an item that carries its related rows.
import { Schema } from "effect"
import type { Columns } from "./Column.ts"
import type * as Entity from "./Entity.ts"
import type * as EntityRow from "./EntityRow.ts"

/** One related row, found by its key, or none. */
export interface One<C extends Columns, T extends Columns> {
  readonly _tag: "One"
  readonly target: Entity.Entity<T>
  /** The column here that holds the key there. */
  readonly column: keyof C & string
}

/** All related rows, found by the column there that holds the key here. */
export interface Many<T extends Columns> {
  readonly _tag: "Many"
  readonly target: Entity.Entity<T>
  readonly column: keyof T & string
}

/** Any relation of an entity that has these columns. */
export type Relation<C extends Columns> =
  | { readonly _tag: "One"; readonly target: EntityRow.Any; readonly column: keyof C & string }
  | { readonly _tag: "Many"; readonly target: EntityRow.Any; readonly column: string }

/** The relations of an entity, by the name under which an item carries each. */
export type Relations<C extends Columns> = Readonly<Record<string, Relation<C>>>

type Target<R> =
  R extends One<infer _C, infer T>
    ? EntityRow.Row<T> | null
    : R extends Many<infer T>
      ? ReadonlyArray<EntityRow.Row<T>>
      : never
type TargetEncoded<R> =
  R extends One<infer _C, infer T>
    ? EntityRow.Encoded<T> | null
    : R extends Many<infer T>
      ? ReadonlyArray<EntityRow.Encoded<T>>
      : never

/** A row with its relations. */
export type Item<C extends Columns, R> = EntityRow.Row<C> & { readonly [N in keyof R]: Target<R[N]> }

/** An item with its relations, in JSON. */
export type ItemEncoded<C extends Columns, R> = EntityRow.Encoded<C> & { readonly [N in keyof R]: TargetEncoded<R[N]> }

/** The schema of an item in JSON. */
export const schemaOf = <C extends Columns, R extends Relations<C>>(
  entity: Entity.Entity<C>,
  relations: R
): Schema.Schema<Item<C, R>, ItemEncoded<C, R>> => {
  const fields = Object.entries(relations).map(([name, relation]) => {
    const row = relation.target.schema
    return [name, relation._tag === "One" ? Schema.NullOr(row) : Schema.Array(row)] as const
  })
  // A boundary: a list of fields does not show which name has which schema; `Item` and `ItemEncoded` do.
  return Schema.extend(entity.schema, Schema.Struct(Object.fromEntries(fields))) as unknown as Schema.Schema<
    Item<C, R>,
    ItemEncoded<C, R>
  >
}
