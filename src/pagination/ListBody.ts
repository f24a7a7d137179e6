// The body of a list: the form that a client reads, and its text.
import { Schema } from "effect"

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
