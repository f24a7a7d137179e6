// A selection as the query compiler and a repository read and change it.
import type { Column, Columns } from "../../Column.ts"
import { columnOf } from "../columns/EntityColumns.ts"
import * as RelatedColumn from "../relations/RelatedColumn.ts"
import { type Any, type Declared, numberOf } from "../columns/EntityRow.ts"
import { from, type Selection } from "../../Selection.ts"
import { targets } from "./Restrictions.ts"
import { type Link, type Order, type Parts, positionShape, state, type Step, update } from "./SelectionParts.ts"

/** The parts of a selection. */
export const partsOf = <C extends Columns>(selection: Selection<C>): Parts => selection[state].parts

/** The shape of a selection: those of one shape compile to the same SQL, whatever their values. */
export const shapeOf = <C extends Columns>(selection: Selection<C>): string => selection[state].shape

/** The rows strictly after a position, with values as the database holds them. */
export const seekFrom = <C extends Columns, D extends Declared>(
  selection: Selection<C, D>,
  position: ReadonlyArray<Step>
): Selection<C, D> => selection[update]({ position }, positionShape(position))

/** The same selection in another order. */
export const reorder = <C extends Columns, D extends Declared>(
  selection: Selection<C, D>,
  orders: ReadonlyArray<Order>
): Selection<C, D> => {
  for (const { column } of orders) columnOf(selection.entity, column)
  return selection[update]({ orders }, `r${orders.map((order) => JSON.stringify(order)).join("")}`)
}

/** The same selection, which may be ordered by this column of a related row, too. */
export const relating = <C extends Columns, D extends Declared>(
  selection: Selection<C, D>,
  link: Link,
  column: string
): Selection<C, D> => {
  const [name, entity] = RelatedColumn.add(selection.entity, link, column)
  return from(entity)[update](partsOf(selection), `${shapeOf(selection)}\0R${numberOf(link.target)}\0${name}`)
}

/** The columns of related rows that a selection is ordered by; mostly none. */
export const relatedOf = <C extends Columns>({ entity, [state]: { parts } }: Selection<C>): ReadonlyArray<Related> => {
  let found: Array<Related> | undefined
  // A loop: it runs for every part of a list.
  for (const { column } of parts.orders) {
    const { related } = columnOf(entity, column)
    if (related !== undefined) (found ??= []).push(related)
  }
  return found ?? none
}

/** The tables that the conditions and the order of an entity's rows reach through relations. */
export const reached = (entity: Any, { orders, restrictions }: Parts): ReadonlyArray<string> => [
  ...targets(restrictions).map(({ table }) => table),
  ...orders.flatMap(({ column }) => columnOf(entity, column).related?.table ?? [])
]

type Related = NonNullable<Column["related"]>
const none: ReadonlyArray<never> = []

/** The same selection, whose columns of related rows are compared by these collations. */
export const collating = <C extends Columns, D extends Declared>(
  selection: Selection<C, D>,
  collationOf: (related: Related) => string | undefined
): Selection<C, D> => {
  const { entity } = selection
  const collations: Array<string> = []
  const columns = partsOf(selection).orders.flatMap(({ column }) => {
    const found = columnOf(entity, column)
    const collation = found.related === undefined ? undefined : collationOf(found.related)
    if (found.related === undefined || collation === undefined) return []
    collations.push(`${column}\0${collation}`)
    return [[column, { ...found, related: { ...found.related, collation } }] as const]
  })
  return columns.length === 0
    ? selection
    : from({ ...entity, columns: { ...entity.columns, ...Object.fromEntries(columns) } })[update](
        partsOf(selection),
        `${shapeOf(selection)}\0C${collations.join("\0")}`
      )
}

/** The rows that both find. The other selection is one of the same table, and only its conditions count. */
export const restrictBy = <C extends Columns, D extends Declared, O extends Columns>(
  selection: Selection<C, D>,
  other: Selection<O>
): Selection<C, D> => {
  const { parts, shape } = other[state]
  return selection[update]({ restrictions: [...partsOf(selection).restrictions, ...parts.restrictions] }, shape)
}

/** The same selection of these columns alone. */
export const selecting = <C extends Columns, D extends Declared>(
  selection: Selection<C, D>,
  names: ReadonlyArray<string>
): Selection<C, D> =>
  from({ ...selection.entity, names: names.map((name): keyof C & string => name) })[update](
    partsOf(selection),
    shapeOf(selection)
  )
