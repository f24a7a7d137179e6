// A page that several requests may get. Its rows are immutable; what a schema decodes of them need not be: bytes and dates
// can be changed, and each request gets its own.
import type { RowDecoder } from "../../../src/pagination/internal/columns/RowDecoder.ts"
import * as ListFormat from "../../../src/pagination/internal/ListFormat.ts"
import type { Pagination } from "../../../src/pagination/Pagination.ts"
import type { Paginated } from "../../../src/pagination/Repository.ts"
import type { MutableRow } from "./RelationLoader.ts"

/** How the rows of a repository become items, and whether they may hold numbers that JSON does not have. */
interface Options {
  readonly decode: RowDecoder | undefined
  readonly withBigInt: boolean
  readonly withFloat: boolean
}

/** The rows of a page, and the page itself for every request that may have it. */
export interface SharedPage<A> {
  readonly rows: ReadonlyArray<MutableRow>
  /** The page for one request. */
  readonly take: () => Paginated<A>
}

/** Freezes the rows. A boundary: they were read column by column and have the columns of an item. */
export const make = <A>(
  rows: ReadonlyArray<MutableRow>,
  pagination: Pagination,
  { decode, withBigInt, withFloat }: Options
): SharedPage<A> => {
  for (const row of rows) Object.freeze(row)
  Object.freeze(pagination)
  const needsReplacer = () => withBigInt || (withFloat && ListFormat.hasNonFinite(rows))
  const text = ListFormat.makeText(pagination, needsReplacer, rows)
  const pageOf = (items: ReadonlyArray<unknown>): Paginated<A> => {
    ListFormat.cache(items, text)
    Object.freeze(items)
    return Object.freeze({ items: items as ReadonlyArray<A>, pagination })
  }
  if (decode === undefined) {
    const page = pageOf(rows)
    return { rows, take: () => page }
  }
  Object.freeze(rows)
  let shared: Paginated<A> | undefined
  let isTaken = false
  const take = (): Paginated<A> => {
    if (shared !== undefined) return shared
    const page = pageOf(rows.map((row) => Object.freeze(decode(row))))
    // Most pages are taken once.
    if (isTaken && isImmutable(page.items)) shared = page
    isTaken = true
    return page
  }
  return { rows, take }
}

const isImmutable = (value: unknown): boolean => {
  if (typeof value === "function") return false
  if (typeof value !== "object" || value === null) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return false
  return Object.isFrozen(value) && Object.values(value).every(isImmutable)
}
