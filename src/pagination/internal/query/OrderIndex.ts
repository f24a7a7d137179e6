// The index that a list needs: the columns of its equality filters, then its order, which ends in the key.
import { Hash } from "effect"
import type { Columns } from "../../Column.ts"
import { terms } from "./Clause.ts"
import { type Dialect, madeOn, quote, quoteTable, tableName } from "./Dialect.ts"
import { columnOf } from "../columns/EntityColumns.ts"
import * as Keyset from "./Keyset.ts"
import type { Selection } from "../../Selection.ts"
import { partsOf, reorder } from "./SelectionState.ts"

/** One column of an index, or whether it is null. */
export interface IndexColumn {
  readonly column: string
  /** Whether the index holds `column IS NULL` here. */
  readonly isRank: boolean
  readonly descending: boolean
  readonly nullsFirst: boolean
  /** Whether the index compares by another collation than the column, and so has another order. */
  readonly isCollatedOtherwise?: boolean
}

/** What a list needs of an index. */
export interface Needed {
  readonly table: string
  /** Compared by equality, so that their place among themselves does not matter. */
  readonly equal: ReadonlySet<string>
  readonly ordered: ReadonlyArray<IndexColumn>
}

/** An index of a table; `undefined` stands for an expression that no list needs. */
export interface Index {
  readonly columns: ReadonlyArray<IndexColumn | undefined>
}

/** The index that serves a list at any depth. */
export const needed = <C extends Columns>(dialect: Dialect, selection: Selection<C>): Needed => {
  const { restrictions } = partsOf(selection)
  const equal = new Set(
    restrictions.flatMap((one) => (one._tag === "Filter" && one.operator === "equal" ? [one.column] : []))
  )
  const orders = terms(dialect, reorder(selection, Keyset.orders(selection)))
  const ordered = orders
    .filter(({ column }) => !equal.has(column))
    .flatMap(({ column, direction, isRanked, nulls }): ReadonlyArray<IndexColumn> => {
      const descending = direction === "Desc"
      const nullsFirst = nulls === undefined ? descending : nulls === "First"
      const itself = { column, isRank: false, descending, nullsFirst }
      return isRanked ? [{ column, isRank: true, descending: nullsFirst, nullsFirst: false }, itself] : [itself]
    })
  return { table: selection.entity.table, equal, ordered }
}

/** The index as `statement` makes it. */
export const of = ({ equal, ordered }: Needed): Index => ({
  columns: [
    ...[...equal].map((column) => ({ column, isRank: false, descending: false, nullsFirst: false })),
    ...ordered
  ]
})

/** Why no index serves a list: it is ordered by a column of another table. A comment of SQL. */
export const unservable = <C extends Columns>(selection: Selection<C>): string | undefined => {
  const { entity } = selection
  const [first] = partsOf(selection).orders.flatMap(({ column }) => columnOf(entity, column).related ?? [])
  if (first === undefined) return undefined
  const by = `${quoteTable(first.table)}.${quote(first.column)}`
  return `-- No index holds ${quoteTable(entity.table)} in the order of ${by}: each part sorts every row that the filters find.`
}

/** Whether an index gives the rows of the list in their order, read from either end. */
export const serves = (dialect: Dialect, { equal, ordered }: Needed, { columns }: Index): boolean => {
  const first = columns.slice(0, equal.size)
  const isUsable = (one: IndexColumn | undefined) => one?.isRank === false && one.isCollatedOtherwise !== true
  const isEqual = new Set(first.map((one) => (isUsable(one) ? one?.column : undefined)))
  if (isEqual.size !== equal.size || ![...equal].every((column) => isEqual.has(column))) return false
  const rest = columns.slice(equal.size)
  return [false, true].some((flipped) =>
    ordered.every((wanted, place) => isSame(dialect, wanted, rest[place], flipped))
  )
}

const isSame = (dialect: Dialect, wanted: IndexColumn, found: IndexColumn | undefined, flipped: boolean): boolean => {
  if (found === undefined || found.column !== wanted.column || found.isRank !== wanted.isRank) return false
  if (found.isCollatedOtherwise === true) return false
  if (found.descending !== (wanted.descending !== flipped)) return false
  // SQLite holds nulls below every value, and reads the first column in two parts.
  return !dialect.placesNulls || found.nullsFirst === (wanted.nullsFirst !== flipped)
}

/**
 * The statement that makes the index.
 *
 * => CREATE INDEX "articles_author_id_stars_desc_id" ON "articles" ("author_id", "stars" DESC, "id")
 */
export const statement = (dialect: Dialect, { equal, ordered, table }: Needed): string => {
  const columns = [
    ...[...equal].map((column) => ({ column, suffix: "" })),
    ...ordered.map((one) => ({ column: one.column, suffix: suffixOf(dialect, one) }))
  ]
  const indexed = columns.map(({ column, suffix }) => `${quote(column)}${suffix}`).join(", ")
  const name = nameOf(tableName(table).name, columns, indexed)
  return `CREATE INDEX ${madeOn(dialect, name, table)} (${indexed})`
}

interface Named {
  readonly column: string
  readonly suffix: string
}

const suffixOf = ({ placesNulls }: Dialect, { descending, isRank, nullsFirst }: IndexColumn): string => {
  const placed = placesNulls && nullsFirst !== descending ? ` NULLS ${nullsFirst ? "FIRST" : "LAST"}` : ""
  return `${isRank ? " IS NULL" : ""}${descending ? " DESC" : ""}${placed}`
}

/** The most bytes of a name that PostgreSQL keeps. */
const longestName = 63

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

// The directions belong to the name: two lists can order the same columns differently, and need both indexes. A digest tells
// those apart whose names are cut, or have a column whose own name reads like a direction.
const nameOf = (table: string, columns: ReadonlyArray<Named>, indexed: string): string => {
  const words = columns.map(({ column, suffix }) => `${column}${suffix.replaceAll(" ", "_").toLowerCase()}`)
  const name = [table, ...words].join("_")
  const isAmbiguous = columns.some(({ column }) => /_(?:null|desc|first|last)$/i.test(column))
  if (!isAmbiguous && bytesOf(name) <= longestName) return name
  const digest = `_${(Hash.string(`${table} ${indexed}`) >>> 0).toString(16).padStart(8, "0")}`
  let kept = name.slice(0, longestName)
  while (bytesOf(kept) > longestName - digest.length) kept = kept.slice(0, -1)
  return `${kept}${digest}`
}
