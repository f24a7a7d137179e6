// The schemas of a list's body, for clients that decode it.
import { Schema } from "effect"

/**
 * A part of a list in page mode.
 *
 * @example
 * ```ts
 * import { HttpClient, HttpClientResponse } from "@effect/platform"
 * import { Effect, Schema } from "effect"
 * import { ListBody } from "effect-framework/pagination"
 *
 * const Tea = Schema.Struct({ id: Schema.Int, name: Schema.String })
 *
 * export const teas = (page: number) =>
 *   HttpClient.get("https://teapots.example/teas", { urlParams: { page } }).pipe(
 *     Effect.flatMap(HttpClientResponse.schemaBodyJson(ListBody.Page(Tea))),
 *     Effect.map(({ items, pages, total }) => ({ names: items.map(({ name }) => name), isLast: page >= pages, total }))
 *   )
 * ```
 */
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

/**
 * A part of a list in page mode whose rows are not counted.
 *
 * @example
 * ```ts
 * import { HttpClientResponse } from "@effect/platform"
 * import { Effect, Schema } from "effect"
 * import { ListBody } from "effect-framework/pagination"
 *
 * const Visit = Schema.Struct({ id: Schema.Int, path: Schema.String })
 *
 * // The server lists them with `counting: "none"`: there is no last page, only a next one.
 * const decode = HttpClientResponse.schemaBodyJson(ListBody.UncountedPage(Visit))
 *
 * export const nextPage = (response: HttpClientResponse.HttpClientResponse) =>
 *   Effect.map(decode(response), ({ more, page }) => (more ? page + 1 : undefined))
 * ```
 */
export const UncountedPage = <A, I>(item: Schema.Schema<A, I>) =>
  Schema.Struct({ items: Schema.Array(item), page: Schema.Int, limit: Schema.Int, more: Schema.Boolean })

/** A part of a list in cursor mode; `next` is null at the end. */
export const CursorPage = <A, I>(item: Schema.Schema<A, I>) =>
  Schema.Struct({ items: Schema.Array(item), limit: Schema.Int, next: Schema.NullOr(Schema.String) })

/**
 * A part of a list in cursor mode that can also be read backward; `previous` is null at the start.
 *
 * @example
 * ```ts
 * import { HttpClientResponse } from "@effect/platform"
 * import { Effect, Schema } from "effect"
 * import { ListBody } from "effect-framework/pagination"
 *
 * const Tea = Schema.Struct({ id: Schema.Int, name: Schema.String })
 *
 * // The server lists them with `bidirectional: true`.
 * const decode = HttpClientResponse.schemaBodyJson(ListBody.BidirectionalPage(Tea))
 *
 * export const neighbours = (response: HttpClientResponse.HttpClientResponse) =>
 *   Effect.map(decode(response), ({ next, previous }) => ({
 *     after: next === null ? undefined : { cursor: next },
 *     before: previous === null ? undefined : { before: previous }
 *   }))
 * ```
 */
export const BidirectionalPage = <A, I>(item: Schema.Schema<A, I>) =>
  Schema.Struct({ ...CursorPage(item).fields, previous: Schema.NullOr(Schema.String) })
