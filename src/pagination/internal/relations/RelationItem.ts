// The relations of an entity, and the type of an item that carries its related rows.
import { Schema } from "effect"
import type { Columns } from "../../Column.ts"
import type { Kind } from "../columns/ColumnKind.ts"
import type * as Entity from "../../Entity.ts"
import type * as EntityRow from "../columns/EntityRow.ts"
import type { State } from "../query/SelectionParts.ts"

/** One related row, found by its key, or none. `C` has the columns here, of the kinds that the key there has. */
export interface One<C extends Columns, T extends Columns, R = {}> {
  readonly _tag: "One"
  readonly target: Entity.Entity<T>
  /** The columns here that hold the key there. */
  readonly columns: ReadonlyArray<keyof C & string>
  readonly relations: R
}

/** All related rows, found by the columns there, of the kinds `K`, that hold the key here. */
export interface Many<T extends Columns, R = {}, K extends Kind = Kind> {
  readonly _tag: "Many"
  readonly target: Entity.Entity<T>
  readonly columns: ReadonlyArray<keyof T & string>
  /** Of the columns; for the compiler alone. */
  readonly kinds?: K
  /** Filters, order and limit of the rows of each parent. */
  readonly list: State
  /** The target, which has the columns of related rows that its order names. */
  readonly source: EntityRow.Any
  readonly relations: R
}

/** Relations of any entity, by their names. An interface, since a type alias must not refer to itself. */
export interface AnyRelations {
  readonly [name: string]: Relation<Columns>
}

/** Any relation of an entity that has these columns. */
export type Relation<C extends Columns> =
  | {
      readonly _tag: "One"
      readonly target: EntityRow.Any
      readonly columns: ReadonlyArray<keyof C & string>
      readonly relations: AnyRelations
    }
  | {
      readonly _tag: "Many"
      readonly target: EntityRow.Any
      readonly columns: ReadonlyArray<string>
      readonly list: State
      readonly source: EntityRow.Any
      readonly relations: AnyRelations
    }

/** The relations of an entity, by the name under which an item carries each. */
export type Relations<C extends Columns> = Readonly<Record<string, Relation<C>>>

type Numbers = "integer" | "bigint" | "decimal" | "float"
type Texts = "text" | "uuid" | "timestamp" | "date" | "time" | "bytes"

// The kinds whose values can be equal to one of these.
type Alike<K extends Kind> = K extends Numbers ? Numbers : K extends Texts ? Texts : K

type Fit<Here extends Kind, There extends Kind> = [Alike<Here> & There] extends [never]
  ? `a column of kind ${Here} holds no key of kind ${There}`
  : unknown

/** What relations of an entity must be, too: a number is never equal to a text. */
export type Fitting<C extends Columns, D extends EntityRow.Declared, R> = {
  readonly [N in keyof R]: R[N] extends One<infer Q, infer _T, infer _R>
    ? Fit<C[keyof Q & keyof C]["kind"], Q[keyof Q]["kind"]>
    : R[N] extends Many<infer _T, infer _R, infer K>
      ? Fit<K, C[D["key"]]["kind"]>
      : unknown
}

type Target<R> =
  R extends One<infer _C, infer T, infer N>
    ? Item<T, N> | null
    : R extends Many<infer T, infer N, infer _K>
      ? ReadonlyArray<Item<T, N>>
      : never
type TargetEncoded<R> =
  R extends One<infer _C, infer T, infer N>
    ? ItemEncoded<T, N> | null
    : R extends Many<infer T, infer N, infer _K>
      ? ReadonlyArray<ItemEncoded<T, N>>
      : never

/** A row with its relations. */
export type Item<C extends Columns, R> = EntityRow.Row<C> & { readonly [N in keyof R]: Target<R[N]> }

/** An item with its relations, in JSON. */
export type ItemEncoded<C extends Columns, R> = EntityRow.Encoded<C> & { readonly [N in keyof R]: TargetEncoded<R[N]> }

/** The schema of an item in JSON. */
export const schemaOf = <C extends Columns, R extends AnyRelations>(
  entity: Entity.Entity<C>,
  relations: R
): Schema.Schema<Item<C, R>, ItemEncoded<C, R>> =>
  // A boundary: a list of fields does not show which name has which schema; `Item` and `ItemEncoded` do.
  withFields(entity, relations) as unknown as Schema.Schema<Item<C, R>, ItemEncoded<C, R>>

const withFields = (entity: EntityRow.Any, relations: AnyRelations): Schema.Schema.AnyNoContext => {
  const fields = Object.entries(relations).map(([name, relation]) => {
    const row = withFields(relation.target, relation.relations)
    return [name, relation._tag === "One" ? Schema.NullOr(row) : Schema.Array(row)] as const
  })
  return Schema.extend(entity.schema, Schema.Struct(Object.fromEntries(fields)))
}

/** The entity with those of its relations, of their relations, and so on. */
export const entitiesOf = (entity: EntityRow.Any, relations: AnyRelations): ReadonlyArray<EntityRow.Any> => [
  entity,
  ...Object.values(relations).flatMap(({ relations: nested, target }) => entitiesOf(target, nested))
]
