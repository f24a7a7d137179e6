// What a list of a model asks for, once as a selection and once as a rule over rows in memory.
import { FastCheck as fc } from "effect"
import type { Columns } from "../../../../src/pagination/Column.ts"
import type { Scalar } from "../../../../src/pagination/ColumnKind.ts"
import type { Direction, Selection } from "../../../../src/pagination/Selection.ts"
import type { Comparison, Match, Nulls } from "../../../../src/pagination/SelectionParts.ts"
import { fieldOf, type Field, type Row, type Table } from "./Table.ts"

/** A filter: how it is written, and which values of its column it accepts. A null is accepted by `isNull` alone. */
export interface Filter {
  readonly column: string
  readonly label: string
  readonly apply: (selection: Selection<Columns>) => Selection<Columns>
  readonly accepts: (value: Scalar | null) => boolean
}

export interface Order {
  readonly column: string
  readonly direction: Direction
  readonly nulls: Nulls | undefined
}

export interface Query {
  readonly filters: ReadonlyArray<Filter>
  readonly orders: ReadonlyArray<Order>
}

const tests: Readonly<Record<Comparison, (sign: number) => boolean>> = {
  equal: (sign) => sign === 0,
  unequal: (sign) => sign !== 0,
  less: (sign) => sign < 0,
  lessOrEqual: (sign) => sign <= 0,
  greater: (sign) => sign > 0,
  greaterOrEqual: (sign) => sign >= 0
}
const comparisons = ["equal", "unequal", "less", "lessOrEqual", "greater", "greaterOrEqual"] as const

const isValue = (accepts: (value: Scalar) => boolean) => (value: Scalar | null) => value !== null && accepts(value)

type Make = (field: Field) => fc.Arbitrary<Filter> | undefined

// NaN is no operand: a filter refuses it.
const operand = ({ kind }: Field) => fc.constantFrom(...kind.values.filter((value) => !Number.isNaN(value)))

const compared: Make = (field) =>
  fc.record({ operator: fc.constantFrom(...comparisons), value: operand(field) }).map(({ operator, value }) => ({
    column: field.name,
    label: `${field.name} ${operator} ${String(value)}`,
    apply: (selection) => selection.filter(field.name, operator, value),
    accepts: isValue((other) => tests[operator](field.kind.compare(other, value)))
  }))

const between: Make = (field) =>
  fc.tuple(operand(field), operand(field)).map(([low, high]) => ({
    column: field.name,
    label: `${field.name} between ${String(low)} and ${String(high)}`,
    apply: (selection) => selection.filter(field.name, "between", [low, high]),
    accepts: isValue((other) => field.kind.compare(other, low) >= 0 && field.kind.compare(other, high) <= 0)
  }))

const within: Make = (field) =>
  fc.array(operand(field), { maxLength: 4 }).map((values) => ({
    column: field.name,
    label: `${field.name} in ${values.map(String).join()}`,
    apply: (selection) => selection.filter(field.name, "in", values),
    accepts: isValue((other) => values.some((value) => field.kind.compare(other, value) === 0))
  }))

const isNull: Make = (field) =>
  fc.constantFrom("isNull" as const, "isNotNull" as const).map((operator) => ({
    column: field.name,
    label: `${field.name} ${operator}`,
    apply: (selection) => selection.filter(field.name, operator),
    accepts: (value) => (value === null) === (operator === "isNull")
  }))

const isTrue: Make = (field) =>
  field.kind.column.kind !== "boolean"
    ? undefined
    : fc.constantFrom("isTrue" as const, "isFalse" as const).map((operator) => ({
        column: field.name,
        label: `${field.name} ${operator}`,
        apply: (selection) => selection.filter(field.name, operator),
        accepts: (value) => value === (operator === "isTrue")
      }))

const patterns = ["", "%", "_", "__", "a%", "%A%", "%b", "a_", "50\\%\\_\\\\*?[a]", "%\\_%", "%[a]", "%*?%", "a\\"]

const pattern = (text: string, match: Match): RegExp => {
  const source = text.replace(/\\([\s\S])?|[\s\S]/gu, (found, escaped?: string) => {
    if (found.startsWith("\\")) return literal(escaped ?? "\\")
    return found === "%" ? "[^]*" : found === "_" ? "[^]" : literal(found)
  })
  return new RegExp(`^${source}$`, match === "like" ? "u" : "iu")
}
const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")

const matched: Make = (field) =>
  !field.kind.hasPatterns
    ? undefined
    : fc
        .record({ match: fc.constantFrom<Match>("like", "insensitive"), text: fc.constantFrom(...patterns) })
        .map(({ match, text }) => ({
          column: field.name,
          label: `${field.name} ${match} ${text}`,
          apply: (selection) => selection.match(field.name, match, text),
          accepts: isValue((other) => pattern(text, match).test(String(other)))
        }))

// A new operator is one line here.
const makes: ReadonlyArray<Make> = [compared, compared, between, within, isNull, isTrue, matched]

const filter = (table: Table): fc.Arbitrary<Filter> =>
  fc.oneof(...table.fields.flatMap((field) => makes.flatMap((make) => make(field) ?? [])))

const orders = (table: Table): fc.Arbitrary<ReadonlyArray<Order>> =>
  fc
    .uniqueArray(fc.constantFrom(...table.fields.map(({ name }) => name)), { minLength: 1, maxLength: 4 })
    .chain((names) =>
      fc.tuple(
        ...names.map((column) =>
          fc.record({
            column: fc.constant(column),
            direction: fc.constantFrom<Direction>("Asc", "Desc"),
            nulls: fieldOf(table, column).nullable ? fc.constantFrom<Nulls>("First", "Last") : fc.constant(undefined)
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
export const select = (all: Selection<Columns>, { filters, orders }: Query): Selection<Columns> => {
  const filtered = filters.reduce((selection, { apply }) => apply(selection), all)
  return orders.reduce((selection, { column, direction, nulls }) => selection.order(direction, column, nulls), filtered)
}

/** Whether a row is in the list. */
export const accepts = ({ filters }: Query, row: Row): boolean =>
  filters.every(({ accepts, column }) => accepts(row[column] ?? null))

/** What comes first in the list: by its orders, then by the rest of the key. */
export const comparator = (table: Table, { orders }: Query) => {
  const rest = table.keys.map((column): Order => ({ column, direction: "Asc", nulls: undefined }))
  const terms = [...orders, ...rest].map(({ column, direction, nulls }) => ({
    column,
    direction,
    nulls,
    kind: fieldOf(table, column).kind
  }))
  return (left: Row, right: Row): number => {
    for (const { column, direction, kind, nulls } of terms) {
      const [one = null, other = null] = [left[column], right[column]]
      if (one === null && other === null) continue
      if (one === null || other === null) return (one === null) === (nulls === "First") ? -1 : 1
      const sign = kind.compare(one, other)
      if (sign !== 0) return direction === "Asc" ? sign : -sign
    }
    return 0
  }
}
