// The schemas of a list's body, for clients that decode it.
import { Schema } from "effect"

/** A part of a list in page mode. */
export const Page = <A, I>(item: Schema.Schema<A, I>) =>
  Schema.Struct({
    items: Schema.Array(item),
    page: Schema.Int,
    pages: Schema.Int,
    limit: Schema.Int,
    total: Schema.Int,
    /** Where rows are not counted exactly by the list: what the total is. */
    accuracy: Schema.optional(Schema.Literal("exact", "atLeast", "estimated"))
  })

/** A part of a list in page mode whose rows are not counted. */
export const UncountedPage = <A, I>(item: Schema.Schema<A, I>) =>
  Schema.Struct({ items: Schema.Array(item), page: Schema.Int, limit: Schema.Int, more: Schema.Boolean })

/** A part of a list in cursor mode; `next` is null at the end. */
export const CursorPage = <A, I>(item: Schema.Schema<A, I>) =>
  Schema.Struct({ items: Schema.Array(item), limit: Schema.Int, next: Schema.NullOr(Schema.String) })

/** A part of a list in cursor mode that can also be read backward; `previous` is null at the start. */
export const BidirectionalPage = <A, I>(item: Schema.Schema<A, I>) =>
  Schema.Struct({ ...CursorPage(item).fields, previous: Schema.NullOr(Schema.String) })
