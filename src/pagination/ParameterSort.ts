// The sorts of a list: each ends in the key, so that no two rows share a place and one index serves both directions.
import { Either } from "effect"
import type { Columns } from "./Column.ts"
import type { Entity } from "./Entity.ts"
import { columnOf } from "./EntityColumns.ts"
import type * as EntityRow from "./EntityRow.ts"
import { InvalidParameter } from "./InvalidParameter.ts"
import * as Keyset from "./Keyset.ts"
import * as ParameterSchema from "./ParameterSchema.ts"
import type { Selection } from "./Selection.ts"
import type { Nulls, Order } from "./SelectionParts.ts"
import { reorder } from "./SelectionState.ts"

/** The declared sorts of a list, each with its reverse. */
export interface Sorts<C extends Columns> {
  readonly names: ReadonlyArray<string>
  /** The selection in this order; in the first one for an empty text. */
  readonly apply: (
    selection: Selection<C>,
    text: string
  ) => Either.Either<readonly [name: string, ordered: Selection<C>], InvalidParameter>
  readonly lists: (selection: Selection<C>) => ReadonlyArray<Selection<C>>
  readonly openApi: ReadonlyArray<ParameterSchema.OpenApiParameter>
}

/** The sorts that are declared as columns, with `-` in front for descending. */
export const make = <C extends Columns>(
  entity: Entity<C>,
  declared: ReadonlyArray<string | ReadonlyArray<string>>,
  nulls: Nulls | undefined
): Sorts<C> => {
  const known = new Map<string, ReadonlyArray<Order>>()
  const orders = declared.map((sort) => {
    const columns = typeof sort === "string" ? [sort] : sort
    const order = ordersOf(entity, columns, nulls)
    if (!known.has(columns.join())) {
      known.set(columns.join(), order)
      known.set(columns.map((column) => flip(entity, column)).join(), reverse(order, nulls))
    }
    return order
  })
  const names = [...known.keys()]
  const [first] = names
  const refused = new InvalidParameter({ parameter: "sort", problem: "sort", expected: `one of ${names.join(", ")}` })
  return {
    names,
    apply: (selection, text) => {
      if (first === undefined) return Either.right(["", selection])
      const name = text === "" ? first : text
      const order = known.get(name)
      return order === undefined ? Either.left(refused) : Either.right([name, reorder(selection, order)])
    },
    // The reverse of an order needs no other index, unless nulls stay on one side.
    lists: (selection) =>
      [...(nulls === undefined ? orders : known.values())].map((order) => reorder(selection, order)),
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

const ordersOf = (
  entity: EntityRow.Any,
  columns: ReadonlyArray<string>,
  nulls: Nulls | undefined
): ReadonlyArray<Order> => {
  const orders = columns.map((text): Order => {
    const descends = isDescending(entity, text)
    const column = descends ? text.slice(1) : text
    const { kind, nullable } = columnOf(entity, column)
    if (kind === "json") throw new TypeError(`"${column}" holds JSON, which has no order`)
    const lowest: Nulls = descends ? "Last" : "First"
    return { column, direction: descends ? "Desc" : "Asc", nulls: nullable ? (nulls ?? lowest) : undefined }
  })
  if (orders.length === 0 || new Set(orders.map(({ column }) => column)).size < orders.length) {
    throw new TypeError("a sort has at least one column, and each of them once")
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
const flip = (entity: EntityRow.Any, column: string): string =>
  isDescending(entity, column) ? column.slice(1) : `-${column}`

const isDescending = (entity: EntityRow.Any, text: string): boolean =>
  !Object.hasOwn(entity.columns, text) && text.startsWith("-")
