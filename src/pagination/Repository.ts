// The rows of one entity, a page at a time.
import type { Effect, Schema, Stream } from "effect"
import type { Columns } from "./Column.ts"
import type { InvalidCursor } from "./Cursor.ts"
import type { Entity } from "./Entity.ts"
import { type InvalidPagination, type Pagination } from "./Pagination.ts"
import type { Item, ItemEncoded } from "./internal/relations/RelationItem.ts"
import type { Scope, Selection } from "./Selection.ts"

/** The requested rows and the resolved pagination. Frozen, since concurrent requests may share one page. */
export interface Paginated<A> {
  readonly items: ReadonlyArray<A>
  readonly pagination: Pagination
}

/** Reads an entity by page or by cursor. */
export interface Repository<C extends Columns, A, I> {
  readonly entity: Entity<C>
  /** One item in JSON. */
  readonly schema: Schema.Schema<A, I>
  /** All rows: where a selection begins. */
  readonly select: Selection<C>
  /**
   * The first page by default. The given selection is never changed. The pagination replaces its size, and its own
   * position is where cursor mode starts. A database error is a defect.
   */
  readonly paginate: (
    selection?: Selection<C>,
    pagination?: Pagination,
    scope?: Scope<C>
  ) => Effect.Effect<Paginated<A>, InvalidCursor | InvalidPagination>
  /**
   * All rows in the order of the selection, one batch in memory at a time: each batch is one search after the last row of
   * the one before. A row that stays is read once, also while others change. The selection's own size plays no part.
   */
  readonly stream: (selection?: Selection<C>, options?: StreamOptions<C>) => Stream.Stream<A, InvalidPagination>
}

/** Which rows are streamed, and how many are read at once. */
export interface StreamOptions<C extends Columns> {
  readonly scope?: Scope<C> | undefined
  /** Rows that are read at once. */
  readonly batch?: number | undefined
}

/** The repository of an entity with relations, and with some of its columns where it selects only these. */
export type For<E, R = {}, N = unknown> =
  E extends Entity<infer C>
    ? Repository<C, Item<Pick<C, Extract<keyof C, N>>, R>, ItemEncoded<Pick<C, Extract<keyof C, N>>, R>>
    : never
