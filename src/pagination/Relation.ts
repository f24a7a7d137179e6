// Target rows in another table, loaded for a whole page by one query.
import { Schema } from "effect"
import type { Column, Columns } from "./Column.ts"
import type * as Entity from "./Entity.ts"

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
  | { readonly _tag: "One"; readonly target: Entity.Any; readonly column: keyof C & string }
  | { readonly _tag: "Many"; readonly target: Entity.Any; readonly column: string }
/** The relations of an entity, by the name under which an item carries each. */
export type Relations<C extends Columns> = Readonly<Record<string, Relation<C>>>

/** The row that a column of this entity points at, such as the author of an article. */
export const one = <T extends Columns, N extends string>(
  target: Entity.Entity<T>,
  column: N
): One<Readonly<Record<N, Column>>, T> => ({ _tag: "One", target, column })

/** The rows whose column points at the key of this entity, such as the comments of an article. */
export const many = <T extends Columns>(target: Entity.Entity<T>, column: keyof T & string): Many<T> => ({
  _tag: "Many",
  target,
  column
})

type Target<R> =
  R extends One<infer _C, infer T>
    ? Entity.Row<T> | null
    : R extends Many<infer T>
      ? ReadonlyArray<Entity.Row<T>>
      : never
type TargetEncoded<R> =
  R extends One<infer _C, infer T>
    ? Entity.Encoded<T> | null
    : R extends Many<infer T>
      ? ReadonlyArray<Entity.Encoded<T>>
      : never

/** A row with its relations. */
export type Item<C extends Columns, R> = Entity.Row<C> & { readonly [N in keyof R]: Target<R[N]> }

/** An item with its relations, in JSON. */
export type ItemEncoded<C extends Columns, R> = Entity.Encoded<C> & { readonly [N in keyof R]: TargetEncoded<R[N]> }

/** The schema of an item in JSON. */
export const schemaOf = <C extends Columns, R extends Relations<C>>(
  entity: Entity.Entity<C>,
  relations: R
): Schema.Schema<Item<C, R>, ItemEncoded<C, R>> => {
  const fields = Object.entries(relations).map(([name, relation]) => {
    const row = relation.target.schema
    return [name, relation._tag === "One" ? Schema.NullOr(row) : Schema.Array(row)] as const
  })
  // A boundary: a list of fields cannot say which name has which schema, `Item` and `ItemEncoded` say it.
  return Schema.extend(entity.schema, Schema.Struct(Object.fromEntries(fields))) as unknown as Schema.Schema<
    Item<C, R>,
    ItemEncoded<C, R>
  >
}
