// The sorts of a list: each ends in the key, so that no two rows share a place and one index serves both directions.
import { Either } from "effect"
import type { Columns } from "../../Column.ts"
import type { Entity } from "../../Entity.ts"
import { columnOf } from "../columns/EntityColumns.ts"
import type * as EntityRow from "../columns/EntityRow.ts"
import { InvalidParameter } from "../../InvalidParameter.ts"
import * as Keyset from "../query/Keyset.ts"
import * as ParameterSchema from "./ParameterSchema.ts"
import * as RelatedColumn from "../relations/RelatedColumn.ts"
import type { Selection } from "../../Selection.ts"
import type { Link, Nulls, Order } from "../query/SelectionParts.ts"
import { relating, reorder } from "../query/SelectionState.ts"
import { misdeclared } from "../Misdeclared.ts"

/** A column of a to-one relation, which a sort has a name for. */
export interface Related {
  readonly link: Link
  readonly column: string
}

// The entity with the columns of its relations, and what a sort calls them.
interface Sortable {
  readonly entity: EntityRow.Any
  readonly names: ReadonlyMap<string, string>
}

/** The declared sorts of a list, each with its reverse. */
interface Sorts<C extends Columns, D extends EntityRow.Declared> {
  readonly names: ReadonlyArray<string>
  /** The selection in this order; in the first one for an empty text. */
  readonly apply: (
    selection: Selection<C, D>,
    text: string
  ) => Either.Either<readonly [name: string, ordered: Selection<C, D>], InvalidParameter>
  readonly lists: (selection: Selection<C, D>) => ReadonlyArray<Selection<C, D>>
  readonly openApi: ReadonlyArray<ParameterSchema.OpenApiParameter>
}

/** The sorts that are declared as columns and as names of related ones, with `-` in front for descending. */
export const make = <C extends Columns, D extends EntityRow.Declared>(
  entity: Entity<C, D>,
  declared: ReadonlyArray<string | ReadonlyArray<string>>,
  nulls: Nulls | undefined,
  related: ReadonlyMap<string, Related> = new Map()
): Sorts<C, D> => {
  const sortable = sortableOf(entity, related)
  const known = new Map<string, Sort>()
  const sorts = declared.map((sort) => {
    const columns = typeof sort === "string" ? [sort] : sort
    const orders = ordersOf(sortable, columns, nulls)
    const links = [...related].flatMap(([name, link]) => (columns.some((one) => unsigned(one) === name) ? [link] : []))
    if (!known.has(columns.join())) {
      known.set(columns.join(), { orders, links })
      const flipped = columns.map((column) => flip(sortable, column)).join()
      known.set(flipped, { orders: reverse(orders, nulls), links })
    }
    return { orders, links }
  })
  const names = [...known.keys()]
  const [first] = names
  const refused = new InvalidParameter({ parameter: "sort", problem: "sort", expected: `one of ${names.join(", ")}` })
  return {
    names,
    apply: (selection, text) => {
      if (first === undefined) return Either.right(["", selection])
      const name = text === "" ? first : text
      const sort = known.get(name)
      return sort === undefined ? Either.left(refused) : Either.right([name, sorted(selection, sort)])
    },
    // The reverse of an order needs no other index, unless nulls stay on one side.
    lists: (selection) => [...(nulls === undefined ? sorts : known.values())].map((sort) => sorted(selection, sort)),
    openApi:
      first === undefined
        ? []
        : [
            ParameterSchema.single("sort", "The order of the list; - in front of a column means descending.", {
              type: "string",
              enum: names,
              default: first
            })
          ]
  }
}

interface Sort {
  readonly orders: ReadonlyArray<Order>
  /** The related columns among them. */
  readonly links: ReadonlyArray<Related>
}

const sorted = <C extends Columns, D extends EntityRow.Declared>(
  selection: Selection<C, D>,
  { links, orders }: Sort
): Selection<C, D> =>
  reorder(
    links.reduce((list, { column, link }) => relating(list, link, column), selection),
    orders
  )

const sortableOf = <C extends Columns>(entity: Entity<C>, related: ReadonlyMap<string, Related>): Sortable => {
  const names = new Map<string, string>()
  let whole = entity
  for (const [name, { column, link }] of related) {
    if (Object.hasOwn(entity.columns, name)) throw misdeclared(`"${name}" is already a column of ${entity.table}`)
    const [added, next] = RelatedColumn.add(whole, link, column)
    names.set(name, added)
    whole = next
  }
  return { entity: whole, names }
}

const ordersOf = (
  sortable: Sortable,
  columns: ReadonlyArray<string>,
  nulls: Nulls | undefined
): ReadonlyArray<Order> => {
  const { entity, names } = sortable
  const orders = columns.map((text): Order => {
    const descends = isDescending(sortable, text)
    const name = descends ? unsigned(text) : text
    const column = names.get(name) ?? name
    const { kind, nullable } = columnOf(entity, column)
    if (kind === "json") throw misdeclared(`"${column}" holds JSON, which has no order`)
    const lowest: Nulls = descends ? "Last" : "First"
    return { column, direction: descends ? "Desc" : "Asc", nulls: nullable ? (nulls ?? lowest) : undefined }
  })
  if (orders.length === 0 || new Set(orders.map(({ column }) => column)).size < orders.length) {
    throw misdeclared("a sort has at least one column, and each of them once")
  }
  // The key in the direction of the column before it, so that the reverse of the sort is the reverse of all of it.
  const direction = orders.at(-1)?.direction ?? "Asc"
  const rest = entity.keys.filter((key) => !orders.some(({ column }) => column === key))
  return [...orders, ...rest.map((column): Order => ({ column, direction, nulls: undefined }))]
}

const reverse = (orders: ReadonlyArray<Order>, nulls: Nulls | undefined): ReadonlyArray<Order> =>
  Keyset.reverse(orders).map(({ column, direction, nulls: turned }) => ({
    column,
    direction,
    nulls: turned === undefined ? undefined : (nulls ?? turned)
  }))

// "-published_at,title" as its reverse: "published_at,-title".
const flip = (sortable: Sortable, column: string): string =>
  isDescending(sortable, column) ? unsigned(column) : `-${column}`

const unsigned = (text: string): string => (text.startsWith("-") ? text.slice(1) : text)

const isDescending = ({ entity, names }: Sortable, text: string): boolean =>
  text.startsWith("-") && !Object.hasOwn(entity.columns, text) && !names.has(text)
