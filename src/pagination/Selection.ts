// A query for rows of an entity: restrictions, order, position, size. Immutable: every method returns a new selection.
import type { Columns } from "./Column.ts"
import type { Kind } from "./internal/columns/ColumnKind.ts"
import type * as Entity from "./Entity.ts"
import * as EntityRow from "./internal/columns/EntityRow.ts"
import { columnOf } from "./internal/columns/EntityColumns.ts"
import * as Operand from "./internal/query/Operand.ts"
import * as RelatedColumn from "./internal/relations/RelatedColumn.ts"
import { linkOf, type Related } from "./internal/relations/RelationLink.ts"
import * as Restrictions from "./internal/query/Restrictions.ts"
import {
  noParts,
  positionShape,
  state,
  update,
  type Comparison,
  type Direction,
  type Lock,
  type Match,
  type Nulls,
  type Operator,
  type Parts,
  type Restriction,
  type State
} from "./internal/query/SelectionParts.ts"
import { misdeclared } from "./internal/Misdeclared.ts"

export type { Direction, Link, Parts, State } from "./internal/query/SelectionParts.ts"

type Names<C extends Columns> = keyof C & string
type Value<C extends Columns, N extends keyof C> = Exclude<EntityRow.Row<C>[N], null>
// JSON is neither ordered nor compared.
type Ordered<C extends Columns> = {
  readonly [N in keyof C]: C[N]["kind"] extends "json" ? never : N
}[keyof C] &
  string
type NamesOf<C extends Columns, K extends Kind> = {
  readonly [N in keyof C]: K extends C[N]["kind"] ? N : never
}[keyof C] &
  string

// Where nulls come, of a column that has them; of one of which the compiler knows nothing, if it has them.
type Place<Nullable extends boolean> = [Nullable] extends [true]
  ? [nulls: Nulls]
  : [Nullable] extends [false]
    ? []
    : [nulls?: Nulls | undefined]

type Steps<C extends Columns> = ReadonlyArray<
  { readonly [N in Ordered<C>]: readonly [column: N, direction: Direction, value: Value<C, N>] }[Ordered<C>]
>

/**
 * A query for rows, built step by step; an unknown column is a compile error.
 *
 * @example
 * ```ts
 * import { Column, Entity, Selection } from "effect-framework/pagination"
 *
 * const Tea = Entity.make("teas", {
 *   key: "id",
 *   columns: { id: Column.integer, name: Column.text, stock: Column.integer, hidden: Column.boolean }
 * })
 * type Teas = Selection.Selection<typeof Tea.columns>
 *
 * const onSale = (teas: Teas) => teas.filter("stock", "greater", 0).filter("hidden", "isFalse")
 *
 * export const byName = onSale(Selection.from(Tea)).order("Asc", "name")
 * export const scarce = onSale(Selection.from(Tea)).filter("stock", "less", 5).order("Asc", "stock")
 * ```
 */
export class Selection<in out C extends Columns, out D extends EntityRow.Declared = EntityRow.Declared> {
  readonly entity: Entity.Entity<C, D>
  readonly [state]: State

  private constructor(entity: Entity.Entity<C, D>, given: State) {
    this.entity = entity
    this[state] = given
  }

  /** All rows of an entity. */
  static from<C extends Columns, D extends EntityRow.Declared>(entity: Entity.Entity<C, D>): Selection<C, D> {
    return new Selection(entity, { parts: noParts, shape: String(EntityRow.numberOf(entity)) })
  }

  filter<N extends Ordered<C>>(column: N, operator: Comparison, value: Value<C, N>): Selection<C, D>
  filter<N extends Ordered<C>>(
    column: N,
    operator: "between",
    range: readonly [Value<C, N>, Value<C, N>]
  ): Selection<C, D>
  filter<N extends Ordered<C>>(column: N, operator: "in", values: ReadonlyArray<Value<C, N>>): Selection<C, D>
  filter<N extends Names<C>>(column: N, operator: "isNull" | "isNotNull"): Selection<C, D>
  filter<N extends NamesOf<C, "boolean">>(column: N, operator: "isTrue" | "isFalse"): Selection<C, D>
  /** Throws `InvalidOperand` when the operand is missing or not of the column's type, also where a cast hid that. */
  filter(column: string, operator: Operator, operand?: unknown): Selection<C, D> {
    columnOf(this.entity, column)
    const values = Operand.values(this.entity, column, operator, operand)
    const arity = operator === "in" ? values.length : ""
    return this.#restrict({ _tag: "Filter", column, operator, values }, `f${column}\0${operator}${arity}`)
  }

  /** `%` matches any text, `_` one character, `\` escapes the next character; see `escapePattern`. */
  match(column: NamesOf<C, "text">, match: Match, pattern: string): Selection<C, D> {
    columnOf(this.entity, column)
    const text = Operand.closePattern(Operand.pattern(this.entity, column, pattern))
    return this.#restrict({ _tag: "Match", column, match, pattern: text }, `m${column}\0${match}`)
  }

  /** Rows with all these words in the full-text index of the entity. Any text may be given: it has no syntax. */
  search(...[text]: D["search"] extends false ? [never] : [text: string]): Selection<C, D> {
    return this.#restrict({ _tag: "Search", text: Operand.searched(this.entity, text) }, "q")
  }

  /** Rows that at least one of these finds; each may have several filters. Without any, no row. */
  anyOf(...branches: ReadonlyArray<Scope<C, D>>): Selection<C, D> {
    const all = branches.map((branch) => branchOf(this.entity, branch))
    const depth = 1 + Math.max(0, ...all.map((branch) => branch.depth))
    const restriction = { _tag: "AnyOf", branches: all.map(({ restrictions }) => restrictions), depth } as const
    return this.#restrict(restriction, `a${all.map(({ shape }) => `${shape.length}:${shape}`).join("")}`)
  }

  /** Exactly the rows that this does not find, those with nulls included. */
  not(branch: Scope<C, D>): Selection<C, D> {
    const { depth, restrictions, shape } = branchOf(this.entity, branch)
    return this.#restrict({ _tag: "Not", branch: restrictions, depth: depth + 1 }, `n${shape.length}:${shape}`)
  }

  /** Rows that have a related row, or one that this finds: `exists(comments, (comment) => comment.filter(…))`. */
  exists<T extends Columns>(relation: Related<C, T>, branch?: Scope<T>): Selection<C, D> {
    return this.#related(relation, branch, false)
  }

  /** Rows that have no related row, or none that this finds. */
  notExists<T extends Columns>(relation: Related<C, T>, branch?: Scope<T>): Selection<C, D> {
    return this.#related(relation, branch, true)
  }

  /** A column that may be null needs a place for its nulls: each database has another one. */
  order<N extends Ordered<C>>(direction: Direction, column: N, ...[nulls]: Place<C[N]["nullable"]>): Selection<C, D> {
    const { kind } = columnOf(this.entity, column)
    if (kind === "json") throw misdeclared(`"${column}" holds JSON, which has no order`)
    const orders = [...this[state].parts.orders, { column, direction, nulls }]
    return this[update]({ orders }, `o${column}\0${direction}${nulls ?? ""}`)
  }

  /**
   * Orders by a column of a related row; rows without one come where nulls do, by default last. No index holds such an
   * order: the database reads and sorts every row that the filters find.
   */
  orderBy<T extends Columns>(
    direction: Direction,
    relation: Extract<Related<C, T>, { readonly _tag: "One" }>,
    column: Ordered<T>,
    nulls: Nulls = "Last"
  ): Selection<C, D> {
    const [name, entity] = RelatedColumn.add(this.entity, linkOf(this.entity, relation), column)
    const { parts, shape } = this[state]
    const orders = [...parts.orders, { column: name, direction, nulls }]
    const added = `O${EntityRow.numberOf(relation.target)}\0${name}\0${direction}${nulls}`
    return new Selection(entity, { parts: { ...parts, orders }, shape: `${shape}\0${added}` })
  }

  /** Rows strictly after a position. The last step must be unique, or ties are lost. Replaces an earlier position. */
  seek(steps: Steps<C>): Selection<C, D> {
    const position = steps.map(([column, direction, value]) => ({
      column,
      direction,
      value: Operand.one(this.entity, column, "seek", value)
    }))
    return this[update]({ position }, positionShape(position))
  }

  limit(size: number | undefined): Selection<C, D> {
    return this[update]({ size }, size === undefined ? "l" : "l1")
  }

  offset(skipped: number | undefined): Selection<C, D> {
    return this[update]({ skipped }, skipped === undefined ? "k" : "k1")
  }

  /** Rows stay locked until the transaction ends. SQLite locks the whole file and has no such clause. */
  lock(locked: Lock): Selection<C, D> {
    return this[update]({ locked }, `x${locked}`)
  }

  #related<T extends Columns>(
    relation: Related<C, T>,
    branch: Scope<T> = (all) => all,
    isNegated: boolean
  ): Selection<C, D> {
    const list = relation._tag === "Many" ? relation.list : { parts: noParts, shape: "" }
    const { depth, restrictions, shape } = branchOf(relation.target, (all) =>
      branch(all[update]({ restrictions: list.parts.restrictions }, list.shape))
    )
    const link = linkOf(this.entity, relation)
    const restriction = { _tag: "Exists", isNegated, link, branch: restrictions, depth: depth + 1 } as const
    const more = link.more === undefined ? "" : `\0${JSON.stringify(link.more)}`
    const names = `${EntityRow.numberOf(link.target)}\0${link.here}\0${link.there}${more}`
    return this.#restrict(restriction, `${isNegated ? "e" : "E"}${names}\0${shape.length}:${shape}`)
  }

  #restrict(restriction: Restriction, shape: string): Selection<C, D> {
    return this[update]({ restrictions: [...this[state].parts.restrictions, restriction] }, shape)
  }

  [update](parts: Partial<Parts>, shape: string): Selection<C, D> {
    const before = this[state]
    return new Selection(this.entity, { parts: { ...before.parts, ...parts }, shape: `${before.shape}\0${shape}` })
  }
}

// The filters of a part of a condition.
const branchOf = <C extends Columns, D extends EntityRow.Declared>(
  entity: Entity.Entity<C, D>,
  branch: Scope<C, D>
) => {
  const selected = branch(Selection.from(entity))
  EntityRow.assertSame(entity, selected.entity)
  const { parts, shape } = selected[state]
  const { locked, orders, position, restrictions, size, skipped } = parts
  // Dropped without a word, a lock would protect no row.
  const hasMore = orders.length + position.length > 0 || [locked, size, skipped].some((part) => part !== undefined)
  if (hasMore) throw misdeclared("a part of a condition has filters alone, no order, position, size or lock")
  return { restrictions, shape, depth: Restrictions.depth(restrictions) }
}

/** All rows of an entity. */
export const from = <C extends Columns, D extends EntityRow.Declared>(entity: Entity.Entity<C, D>): Selection<C, D> =>
  Selection.from(entity)

/** A restriction that is added to every selection: a tenant, the rows that a user may see. */
export type Scope<C extends Columns, D extends EntityRow.Declared = EntityRow.Declared> = Scoping<C, D>["scope"]

// A method, so that a scope of a certain table is one of some table, too.
interface Scoping<C extends Columns, D extends EntityRow.Declared> {
  scope(selection: Selection<C, D>): Selection<C, D>
}

/**
 * User input as a pattern that matches exactly this text.
 *
 * @example
 * ```ts
 * import { Column, Entity, Selection } from "effect-framework/pagination"
 *
 * const Tea = Entity.make("teas", { key: "id", columns: { id: Column.integer, name: Column.text } })
 *
 * // "100%" finds "100% Assam", and not every name that begins with 100.
 * export const beginning = (text: string) =>
 *   Selection.from(Tea).match("name", "insensitive", `${Selection.escapePattern(text)}%`)
 * ```
 */
export const escapePattern = (text: string): string => text.replace(/[\\%_]/g, "\\$&")
