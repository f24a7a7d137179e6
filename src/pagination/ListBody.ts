// The body of a list: the form that a client reads, and its text.
import { Schema } from "effect"
import type { Pagination } from "./Pagination.ts"

/** A page of a list. */
export const Page = <A, I>(item: Schema.Schema<A, I>) =>
  Schema.Struct({
    items: Schema.Array(item),
    page: Schema.Int,
    pages: Schema.Int,
    limit: Schema.Int,
    total: Schema.Int
  })

/** A stretch of a walk; `next` is null at its end. */
export const CursorPage = <A, I>(item: Schema.Schema<A, I>) =>
  Schema.Struct({ items: Schema.Array(item), limit: Schema.Int, next: Schema.NullOr(Schema.String) })

/** What a list answers, whatever was asked. */
export const Body = <A, I>(item: Schema.Schema<A, I>) => Schema.Union(Page(item), CursorPage(item))

/** The body before it is text. */
export type Body =
  | {
      readonly items: ReadonlyArray<unknown>
      readonly page: number
      readonly pages: number
      readonly limit: number
      readonly total: number
    }
  | { readonly items: ReadonlyArray<unknown>; readonly limit: number; readonly next: string | null }

/** The body for these items: with totals by page, with the next cursor on a walk. */
export const body = (items: ReadonlyArray<unknown>, pagination: Pagination): Body => {
  const { limit, mode, next, page, pages, total } = pagination
  return mode === "Page"
    ? { items, page: page ?? 1, pages: pages ?? 0, limit, total: total ?? 0 }
    : { items, limit, next }
}

const widened = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? value.toString() : value)

/** As JSON. `wide` bodies hold 64-bit integers, which become texts: as numbers their readers would round them. */
export const json = (body: unknown, wide: boolean): string => JSON.stringify(body, wide ? widened : undefined)
