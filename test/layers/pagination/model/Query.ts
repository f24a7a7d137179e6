// What a list of a model asks for, once as a selection and once as a rule over rows in memory.
import { FastCheck as fc } from "effect"
import type { Columns } from "../../../../src/pagination/Column.ts"
import type { Direction, Selection } from "../../../../src/pagination/Selection.ts"
import type { Nulls } from "../../../../src/pagination/internal/query/SelectionParts.ts"
import { type Filter, filter, ownerRelation } from "./Filter.ts"
import { fieldOf, ownerOf, type Row, type Table, type Value } from "./Table.ts"

export interface Order {
  /** A column, or `ownerRank` for that of the owner. */
  readonly column: string
  readonly direction: Direction
  readonly nulls: Nulls | undefined
}

export interface Query {
  readonly filters: ReadonlyArray<Filter>
  readonly orders: ReadonlyArray<Order>
}

const ownerRank = "owner.rank"

const orders = (table: Table): fc.Arbitrary<ReadonlyArray<Order>> =>
  fc
    .uniqueArray(
      fc.oneof(
        {
          arbitrary: fc.constantFrom(...table.fields.filter(({ kind }) => kind.isOrdered).map(({ name }) => name)),
          weight: 8
        },
        { arbitrary: fc.constant(ownerRank), weight: 1 }
      ),
      { minLength: 1, maxLength: 4 }
    )
    .chain((names) =>
      fc.tuple(
        ...names.map((column) =>
          fc.record({
            column: fc.constant(column),
            direction: fc.constantFrom<Direction>("Asc", "Desc"),
            nulls:
              column === ownerRank || fieldOf(table, column).nullable
                ? fc.constantFrom<Nulls>("First", "Last")
                : fc.constant(undefined)
          })
        )
      )
    )

/** Up to three filters, and one to four orders; sometimes none, which is the order of the key. */
export const query = (table: Table): fc.Arbitrary<Query> =>
  fc.record({
    filters: fc.array(filter(table), { maxLength: 3 }),
    orders: fc.oneof({ arbitrary: orders(table), weight: 9 }, { arbitrary: fc.constant([]), weight: 1 })
  })

/** The selection of a query. */
export const select = (table: Table, all: Selection<Columns>, { filters, orders }: Query): Selection<Columns> => {
  const filtered = filters.reduce((selection, { apply }) => apply(selection), all)
  return orders.reduce(
    (selection, { column, direction, nulls }) =>
      column === ownerRank
        ? selection.orderBy(direction, ownerRelation(table), "rank", nulls)
        : selection.order(direction, column, nulls),
    filtered
  )
}

/** Whether a row is in the list. */
export const accepts = ({ filters }: Query, row: Row): boolean => filters.every(({ accepts }) => accepts(row))

/** What comes first in the list: by its orders, then by the rest of the key. */
export const comparator = (table: Table, { orders }: Query) => {
  const rest = table.keys.map((column): Order => ({ column, direction: "Asc", nulls: undefined }))
  const terms = [...orders, ...rest].map(({ column, direction, nulls }) => {
    const isOwner = column === ownerRank
    const { kind } = isOwner ? fieldOf(table.owners, "rank") : fieldOf(table, column)
    const valueOf = (row: Row): Value => (isOwner ? ownerOf(table, row)?.["rank"] : row[column]) ?? null
    return { direction, nulls, kind, valueOf }
  })
  return (left: Row, right: Row): number => {
    for (const { direction, kind, nulls, valueOf } of terms) {
      const [one, other] = [valueOf(left), valueOf(right)]
      if (one === null && other === null) continue
      if (one === null || other === null) return (one === null) === (nulls === "First") ? -1 : 1
      const sign = kind.compare(one, other)
      if (sign !== 0) return direction === "Asc" ? sign : -sign
    }
    return 0
  }
}
