// Related rows in another table, loaded for a whole page at once.
import type { Column, Columns } from "./Column.ts"
import type * as Entity from "./Entity.ts"
import { assertSame } from "./internal/columns/EntityRow.ts"
import type { Fitting, Many, One, Relations } from "./internal/relations/RelationItem.ts"
import { from, type Scope } from "./Selection.ts"
import { type Parts, state } from "./internal/query/SelectionParts.ts"
import { misdeclared } from "./internal/Misdeclared.ts"

export type { Many, One } from "./internal/relations/RelationItem.ts"

// A column, or as many as the key has, in its order.
type Names<N extends string> = N | readonly [N, ...ReadonlyArray<N>]

/** What a relation to one row may be given. */
export interface OneOptions<R> {
  /** Relations of the related row. */
  readonly relations?: R
}

/** What a relation to many rows may be given. */
export interface ManyOptions<T extends Columns, R, D extends Entity.Declared = Entity.Declared> extends OneOptions<R> {
  /** The rows that count, in which order, and how many for each parent: `(all) => all.order("Desc", "id").limit(3)`. */
  readonly selection?: Scope<T, D>
}

const listOf = <N extends string>(names: Names<N>): ReadonlyArray<N> => (typeof names === "string" ? [names] : names)

/** The row that a column of this entity refers to, such as the author of an article. */
export const one = <
  T extends Columns,
  const N extends string,
  const R extends Relations<T> = {},
  D extends Entity.Declared = Entity.Declared
>(
  target: Entity.Entity<T, D>,
  column: Names<N>,
  options: OneOptions<R & Fitting<T, NoInfer<D>, R>> = {}
): One<Readonly<Record<N, Column<T[D["key"]]["kind"]>>>, T, R> => {
  const { relations = {} as R }: OneOptions<R> = options
  const columns = listOf(column)
  if (target.keys.length !== columns.length) {
    const [key, given] = [target.keys.join(", "), columns.join(", ")]
    throw misdeclared(`${target.table} has the key (${key}), and a relation refers to it by (${given})`)
  }
  return { _tag: "One", target, columns, relations }
}

/**
 * The rows whose column refers to the key of this entity, such as the comments of an article.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Column, Entity, Relation } from "effect-framework/pagination"
 * import { SqlRepository } from "effect-framework/layers/pagination"
 *
 * const Article = Entity.make("articles", { key: "id", columns: { id: Column.integer, title: Column.text } })
 * const Comment = Entity.make("comments", {
 *   key: "id",
 *   columns: { id: Column.integer, article_id: Column.integer, text: Column.text }
 * })
 *
 * export const program = Effect.gen(function* () {
 *   const articles = yield* SqlRepository.make(Article, { comments: Relation.many(Comment, "article_id") })
 *   const { items } = yield* articles.paginate()
 *   return items.map(({ comments, title }) => `${title}: ${comments.length}`)
 * })
 * ```
 */
export const many = <
  T extends Columns,
  const N extends keyof T & string,
  const R extends Relations<T> = {},
  D extends Entity.Declared = Entity.Declared
>(
  target: Entity.Entity<T, D>,
  column: Names<N>,
  options: ManyOptions<T, R & Fitting<T, NoInfer<D>, R>, D> = {}
): Many<T, R, T[N]["kind"]> => {
  const { relations = {} as R, selection }: ManyOptions<T, R, D> = options
  const all = from(target)
  const { entity: source, [state]: list } = selection === undefined ? all : selection(all)
  assertSame(target, source)
  assertUsable(target.table, list.parts)
  return { _tag: "Many", target, columns: listOf(column), list, source, relations }
}

const assertUsable = (table: string, { locked, position, size, skipped }: Parts): void => {
  if (skipped !== undefined || position.length > 0 || locked !== undefined) {
    throw misdeclared(`a relation to ${table} has filters, an order and a limit, nothing else`)
  }
  if (size !== undefined && (!Number.isSafeInteger(size) || size < 1)) {
    throw misdeclared(`the limit of a relation to ${table} is a whole number from 1`)
  }
}
