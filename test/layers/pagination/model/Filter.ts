// The filters of a model's lists, each once as it is written and once as a rule over rows in memory.
import { FastCheck as fc } from "effect"
import type { Columns } from "../../../../src/pagination/Column.ts"
import type { Scalar } from "../../../../src/pagination/internal/columns/ColumnKind.ts"
import * as Relation from "../../../../src/pagination/Relation.ts"
import type { Selection } from "../../../../src/pagination/Selection.ts"
import type { Comparison, Match } from "../../../../src/pagination/internal/query/SelectionParts.ts"
import { entityOf, type Field, notesOf, ownerOf, type Row, type Shape, type Table, type Value } from "./Table.ts"

/** A filter: how it is written, and which rows it accepts. */
export interface Filter {
  readonly label: string
  readonly apply: (selection: Selection<Columns>) => Selection<Columns>
  readonly accepts: (row: Row) => boolean
}

// Of one column: a null is accepted by `isNull` alone.
interface Leaf {
  readonly column: string
  readonly label: string
  readonly apply: Filter["apply"]
  readonly accepts: (value: Value) => boolean
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

const isValue = (accepts: (value: Scalar) => boolean) => (value: Value) => value !== null && accepts(value)

type Make = (field: Field) => fc.Arbitrary<Leaf> | undefined

// NaN is no operand: a filter refuses it.
const operand = ({ kind }: Field) => fc.constantFrom(...kind.values.filter((value) => !Number.isNaN(value)))

const ordered =
  (make: (field: Field) => fc.Arbitrary<Leaf>): Make =>
  (field) =>
    field.kind.isOrdered ? make(field) : undefined

const compared = ordered((field) =>
  fc.record({ operator: fc.constantFrom(...comparisons), value: operand(field) }).map(({ operator, value }) => ({
    column: field.name,
    label: `${field.name} ${operator} ${String(value)}`,
    apply: (selection) => selection.filter(field.name, operator, value),
    accepts: isValue((other) => tests[operator](field.kind.compare(other, value)))
  }))
)

const between = ordered((field) =>
  fc.tuple(operand(field), operand(field)).map(([low, high]) => ({
    column: field.name,
    label: `${field.name} between ${String(low)} and ${String(high)}`,
    apply: (selection) => selection.filter(field.name, "between", [low, high]),
    accepts: isValue((other) => field.kind.compare(other, low) >= 0 && field.kind.compare(other, high) <= 0)
  }))
)

const within = ordered((field) =>
  fc.array(operand(field), { maxLength: 4 }).map((values) => ({
    column: field.name,
    label: `${field.name} in ${values.map(String).join()}`,
    apply: (selection) => selection.filter(field.name, "in", values),
    accepts: isValue((other) => values.some((value) => field.kind.compare(other, value) === 0))
  }))
)

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

const ofColumn = ({ fields }: Shape): fc.Arbitrary<Filter> =>
  fc.oneof(
    ...fields.flatMap((field) =>
      makes.flatMap((make) => {
        const leaf = make(field)
        return leaf === undefined
          ? []
          : leaf.map(({ accepts, apply, column, label }) => ({
              label,
              apply,
              accepts: (row: Row) => accepts(row[column] ?? null)
            }))
      })
    )
  )

const texts = ["tea", "TEA milk", "milk", "émile", "日本", "x1 blue", "", '"tea" OR *', "e-mail", "mail", "unheard"]

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

const searched = ({ searched }: Table): ReadonlyArray<fc.Arbitrary<Filter>> =>
  searched.length === 0
    ? []
    : [
        fc.constantFrom(...texts).map((text) => ({
          label: `search ${text}`,
          apply: (selection) => selection.search(text),
          accepts: (row) => {
            const found = new Set(searched.flatMap((name) => wordsOf(String(row[name] ?? ""))))
            const words = wordsOf(text)
            return words.length > 0 && words.every((word) => found.has(word))
          }
        }))
      ]

const every = (filters: ReadonlyArray<Filter>): Filter => ({
  label: `(${filters.map(({ label }) => label).join(" and ")})`,
  apply: (selection) => filters.reduce((list, { apply }) => apply(list), selection),
  accepts: (row) => filters.every(({ accepts }) => accepts(row))
})

const anyOf = (part: fc.Arbitrary<Filter>): fc.Arbitrary<Filter> =>
  fc.array(part, { maxLength: 3 }).map((parts) => ({
    label: `any of ${parts.map(({ label }) => label).join(" or ")}`,
    apply: (selection) => selection.anyOf(...parts.map(({ apply }) => apply)),
    accepts: (row) => parts.some(({ accepts }) => accepts(row))
  }))

const not = (part: fc.Arbitrary<Filter>): fc.Arbitrary<Filter> =>
  part.map(({ accepts, apply, label }) => ({
    label: `not ${label}`,
    apply: (selection) => selection.not(apply),
    accepts: (row) => !accepts(row)
  }))

const related = (table: Table): ReadonlyArray<fc.Arbitrary<Filter>> => {
  const ways = [
    ["owner", ownerRelation(table), table.owners, (row: Row) => [ownerOf(table, row) ?? []].flat()] as const,
    [
      "notes",
      Relation.many(entityOf(table.notes), [table.notes.keys[0] ?? "", ...table.notes.keys.slice(1)]),
      table.notes,
      (row: Row) => notesOf(table, row)
    ] as const
  ]
  return ways.map(([name, relation, shape, rowsOf]) =>
    fc
      .record({ part: fc.option(ofColumn(shape), { nil: undefined }), isNegated: fc.boolean() })
      .map(({ isNegated, part = every([]) }): Filter => ({
        label: `${isNegated ? "no" : "some"} ${name} ${part.label}`,
        apply: (selection) =>
          isNegated ? selection.notExists(relation, part.apply) : selection.exists(relation, part.apply),
        accepts: (row) => rowsOf(row).some((other) => part.accepts(other)) !== isNegated
      }))
  )
}

const relations = new WeakMap<Shape, ReturnType<typeof refersTo>>()
const refersTo = (owners: Shape) => Relation.one(entityOf(owners), "owner")

/** The row that `owner` refers to; one relation for a table, so that lists of one shape are one list to the cache. */
export const ownerRelation = ({ owners }: Table) => {
  const relation = relations.get(owners) ?? refersTo(owners)
  relations.set(owners, relation)
  return relation
}

/** Any filter; conditions are up to so many inside each other. */
export const filter = (table: Table, depth = 2): fc.Arbitrary<Filter> => {
  const leaf = ofColumn(table)
  const simple = fc.oneof({ arbitrary: leaf, weight: 6 }, ...searched(table), ...related(table))
  if (depth === 0) return simple
  const part = fc.array(filter(table, depth - 1), { maxLength: 2 }).map(every)
  return fc.oneof(
    { arbitrary: simple, weight: 6 },
    { arbitrary: anyOf(part), weight: 1 },
    { arbitrary: not(part), weight: 1 }
  )
}
