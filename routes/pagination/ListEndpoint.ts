// A list as an endpoint of an `HttpApi`: its parameters, both shapes of its body, its failures and headers, declared once.
import { HttpApiEndpoint, type HttpRouter, type HttpServerRequest, HttpServerResponse, OpenApi } from "@effect/platform"
import { Effect, Schema } from "effect"
import type { Columns } from "../../src/pagination/Column.ts"
import type { Declared } from "../../src/pagination/Entity.ts"
import { InvalidCursor } from "../../src/pagination/Cursor.ts"
import { InvalidParameter } from "../../src/pagination/InvalidParameter.ts"
import * as Links from "../../src/pagination/Links.ts"
import * as ListBody from "../../src/pagination/ListBody.ts"
import * as ListFormat from "../../src/pagination/internal/ListFormat.ts"
import type { ListQuery } from "../../src/pagination/ListQuery.ts"
import { type Counting, InvalidPagination } from "../../src/pagination/Pagination.ts"
import type { Repository } from "../../src/pagination/Repository.ts"
import type { Scope, Selection } from "../../src/pagination/Selection.ts"
import * as ListDocument from "./internal/ListDocument.ts"
import * as ListRoute from "./ListRoute.ts"

/** The items of a list, and what a client may choose. */
export interface Options<C extends Columns, N extends string, A, I, D extends Declared = Declared> {
  /** One item: the schema of the entity, or one that extends it by relations. */
  readonly item: Schema.Schema<A, I>
  /** The sorts, filters and search that a client may choose. */
  readonly parameters?: ListQuery<C, N, D>
  /** Rows by default, and the most that a client may ask for. */
  readonly limit?: number
  readonly maxLimit?: number
  /** Whether the list is also read backward: `before=` beside `cursor=`, and `previous` beside `next`. */
  readonly bidirectional?: boolean
  /** How rows are counted in page mode, and up to how many unless exactly. */
  readonly counting?: Counting
  readonly totalCap?: number
}

/** What a client may send. */
export type Query<N extends string> = {
  readonly page?: number | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly before?: string | undefined
} & { readonly [P in N | "sort"]?: string | undefined }

/**
 * A list of an API: its endpoint for the contract, and its response for the handler.
 *
 * @example
 * ```ts
 * import { HttpApi, HttpApiGroup } from "@effect/platform"
 * import { Column, Entity, ListQuery } from "effect-framework/pagination"
 * import { ListEndpoint } from "effect-framework/routes/pagination"
 *
 * const Tea = Entity.make("teas", { key: "id", columns: { id: Column.integer, name: Column.text } })
 *
 * export const teas = ListEndpoint.make("list", "/teas", {
 *   item: Tea.schema,
 *   parameters: ListQuery.make(Tea, { sort: ["name"] })
 * })
 *
 * export const Api = HttpApi.make("shop").add(HttpApiGroup.make("teas").add(teas.endpoint))
 * ```
 */
export const make = <
  const Name extends string,
  A,
  I,
  C extends Columns = Columns,
  N extends string = never,
  D extends Declared = Declared
>(
  name: Name,
  path: HttpRouter.PathInput & `/${string}`,
  { item, ...options }: Options<C, N, A, I, D>
) => {
  const { bidirectional = false, counting, parameters } = options
  // A boundary: the names of the parameters are known to their type, and each is an optional text.
  const query = ListDocument.query(parameters?.openApi ?? [], bidirectional) as unknown as Schema.Schema<
    Query<N>,
    Readonly<Record<string, string | undefined>>
  >
  const page = counting === "none" ? ListBody.UncountedPage(item) : ListBody.Page(item)
  const part = bidirectional ? ListBody.BidirectionalPage(item) : ListBody.CursorPage(item)
  return {
    endpoint: HttpApiEndpoint.get(name, path)
      .setUrlParams(query)
      .addSuccess(Schema.Union(page, part))
      .addError(InvalidCursor, { status: 400 })
      .addError(InvalidParameter, { status: 400 })
      .addError(InvalidPagination, { status: 400 })
      .annotate(OpenApi.Transform, ListDocument.withHeaders),
    /** The part of the repository that the request asks for, with its headers. */
    respond: (
      repository: Repository<C, A, I, D>,
      request: HttpServerRequest.HttpServerRequest,
      selection?: Selection<C, D>,
      scope?: Scope<C, D>
    ): Effect.Effect<HttpServerResponse.HttpServerResponse, ListRoute.ListError> =>
      Effect.map(
        ListRoute.paginate(Links.parse(request.originalUrl), repository, selection, {
          ...options,
          ...(scope !== undefined && { scope })
        }),
        (view) => {
          const { vary: _, ...headers } = ListRoute.headers(view)
          return HttpServerResponse.text(ListFormat.print(view), { contentType: "application/json", headers })
        }
      )
  }
}
