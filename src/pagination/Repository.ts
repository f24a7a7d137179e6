// The rows of one entity, a page at a time.
import type { Effect, Schema, Stream } from "effect"
import type { Columns, ForeignValue } from "./Column.ts"
import type { InvalidCursor } from "./Cursor.ts"
import type { Declared, Entity } from "./Entity.ts"
import { type InvalidPagination, type Pagination } from "./Pagination.ts"
import type { Item, ItemEncoded } from "./internal/relations/RelationItem.ts"
import type { Scope, Selection } from "./Selection.ts"

/** The requested rows and the resolved pagination. Frozen, since concurrent requests may share one page. */
export interface Paginated<A> {
  readonly items: ReadonlyArray<A>
  readonly pagination: Pagination
}

/** Reads an entity by page or by cursor. */
export interface Repository<in out C extends Columns, in out A, in out I, out D extends Declared = Declared> {
  readonly entity: Entity<C, D>
  /** One item in JSON. */
  readonly schema: Schema.Schema<A, I>
  /** All rows: where a selection begins. */
  readonly select: Selection<C, D>
  /**
   * The first page by default. The given selection is never changed. The pagination replaces its size, and its own
   * position is where cursor mode starts. A database error is a defect.
   */
  paginate(
    selection?: Selection<C, D>,
    pagination?: Pagination,
    scope?: Scope<C, D>
  ): Effect.Effect<Paginated<A>, ForeignValue | InvalidCursor | InvalidPagination>
  /**
   * All rows in the order of the selection, one batch in memory at a time: each batch is one search after the last row of
   * the one before. A row that stays is read once, also while others change. The selection's own size plays no part.
   */
  stream(selection?: Selection<C, D>, options?: StreamOptions<C, D>): Stream.Stream<A, ForeignValue | InvalidPagination>
}

/** Which rows are streamed, and how many are read at once. */
export interface StreamOptions<C extends Columns, D extends Declared = Declared> {
  readonly scope?: Scope<C, D> | undefined
  /** Rows that are read at once. */
  readonly batch?: number | undefined
}

/** The repository of an entity with relations, and with some of its columns where it selects only these. */
export type For<E, R = {}, N = unknown> =
  E extends Entity<infer C, infer D>
    ? Repository<C, Item<Pick<C, Extract<keyof C, N>>, R>, ItemEncoded<Pick<C, Extract<keyof C, N>>, R>, D>
    : never
