// A query for rows of an entity: restrictions, order, position, size. Immutable: every method returns a new selection.
import type { Column, Columns, Kind, Scalar } from "./Column.ts"
import type * as Entity from "./Entity.ts"
import { columnOf } from "./EntityColumns.ts"
import * as Operand from "./Operand.ts"
import {
  noParts,
  type Comparison,
  type Direction,
  type Lock,
  type Match,
  type Nulls,
  type Operator,
  type Order,
  type Parts,
  type Restriction,
  type Step
} from "./SelectionParts.ts"

export type { Comparison, Direction, Lock, Match, Nulls } from "./SelectionParts.ts"

type Names<C extends Columns> = keyof C & string
type Value<C extends Columns, N extends keyof C> = Exclude<Entity.Row<C>[N], null>
type NamesOf<C extends Columns, K extends Kind> = {
  readonly [N in keyof C]: C[N] extends Column<K> ? N : never
}[keyof C] &
  string

type Steps<C extends Columns> = ReadonlyArray<
  { readonly [N in Names<C>]: readonly [column: N, direction: Direction, value: Value<C, N>] }[Names<C>]
>

/** A query for rows, built step by step; an unknown column is a compile error. */
export class Selection<C extends Columns> {
  readonly entity: Entity.Entity<C>
  readonly parts: Parts
  /** Two selections of one shape compile to the same SQL, whatever their values. */
  readonly shape: string

  private constructor(entity: Entity.Entity<C>, parts: Parts, shape: string) {
    this.entity = entity
    this.parts = parts
    this.shape = shape
  }

  /** All rows of an entity. */
  static from<C extends Columns>(entity: Entity.Entity<C>): Selection<C> {
    return new Selection(entity, noParts, "")
  }

  filter<N extends Names<C>>(column: N, operator: Comparison, value: Value<C, N>): Selection<C>
  filter<N extends Names<C>>(column: N, operator: "between", range: readonly [Value<C, N>, Value<C, N>]): Selection<C>
  filter<N extends Names<C>>(column: N, operator: "in", values: ReadonlyArray<Value<C, N>>): Selection<C>
  filter<N extends Names<C>>(column: N, operator: "isNull" | "isNotNull"): Selection<C>
  filter<N extends NamesOf<C, "boolean">>(column: N, operator: "isTrue" | "isFalse"): Selection<C>
  /** Throws `InvalidOperand` when the operand is missing or not of the column's type, whatever the compiler was told. */
  filter(column: string, operator: Operator, operand?: Scalar | ReadonlyArray<Scalar>): Selection<C> {
    columnOf(this.entity, column)
    const values = Operand.values(this.entity, column, operator, operand)
    const arity = operator === "in" ? values.length : ""
    return this.#restrict({ _tag: "Filter", column, operator, values }, `f${column}\0${operator}${arity}`)
  }

  /** `%` stands for any text, `_` for one character, `\` takes a character as it is; see `escapePattern`. */
  match(column: NamesOf<C, "text">, match: Match, pattern: string): Selection<C> {
    columnOf(this.entity, column)
    const text = Operand.closePattern(Operand.pattern(this.entity, column, pattern))
    return this.#restrict({ _tag: "Match", column, match, pattern: text }, `m${column}\0${match}`)
  }

  order(direction: Direction, column: Names<C>, nulls?: Nulls): Selection<C> {
    columnOf(this.entity, column)
    const orders = [...this.parts.orders, { column, direction, nulls }]
    return this.#with({ orders }, `o${column}\0${direction}${nulls ?? ""}`)
  }

  /** Rows strictly after a position. The last step must be unique, or ties are lost. Replaces an earlier position. */
  seek(steps: Steps<C>): Selection<C> {
    return this.seekFrom(steps.map(([column, direction, value]) => ({ column, direction, value })))
  }

  /** `seek` with steps as data, as a repository reads them from a cursor. */
  seekFrom(position: ReadonlyArray<Step>): Selection<C> {
    let shape = "s"
    const steps = position.map(({ column, direction, value }): Step => {
      shape += `${column}\0${direction}\0`
      return { column, direction, value: Operand.one(this.entity, column, "seek", value) }
    })
    return this.#with({ position: steps }, shape)
  }

  /** The same selection in another order. */
  reorder(orders: ReadonlyArray<Order>): Selection<C> {
    for (const { column } of orders) columnOf(this.entity, column)
    return this.#with({ orders: [...orders] }, `r${orders.map((order) => JSON.stringify(order)).join("")}`)
  }

  limit(size: number | undefined): Selection<C> {
    return this.#with({ size }, size === undefined ? "l" : "l1")
  }

  offset(skipped: number | undefined): Selection<C> {
    return this.#with({ skipped }, skipped === undefined ? "k" : "k1")
  }

  /** Rows stay locked until the transaction ends. SQLite locks the whole file and has no such clause. */
  lock(locked: Lock): Selection<C> {
    return this.#with({ locked }, `x${locked}`)
  }

  #restrict(restriction: Restriction, shape: string): Selection<C> {
    return this.#with({ restrictions: [...this.parts.restrictions, restriction] }, shape)
  }

  #with(parts: Partial<Parts>, shape: string): Selection<C> {
    return new Selection(this.entity, { ...this.parts, ...parts }, `${this.shape}\0${shape}`)
  }
}

/** All rows of an entity. */
export const from = <C extends Columns>(entity: Entity.Entity<C>): Selection<C> => Selection.from(entity)

/** A restriction that is added to every selection: a tenant, the rows that a user may see. */
export type Scope<C extends Columns> = (selection: Selection<C>) => Selection<C>

/** User input as a pattern that matches exactly this text. */
export const escapePattern = (text: string): string => text.replace(/[\\%_]/g, "\\$&")
