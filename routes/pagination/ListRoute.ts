// A list over HTTP: query parameters select the part, headers link to its neighbours, `Accept` selects the format.
import { Headers, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Context, Effect, Either } from "effect"
import * as ErrorResponse from "../../src/http/internal/ErrorResponse.ts"
import * as Accept from "../../src/http/Accept.ts"
import { HttpTexts } from "../../src/http/HttpTexts.ts"
import type { Columns } from "../../src/pagination/Column.ts"
import type { Declared } from "../../src/pagination/Entity.ts"
import type { InvalidCursor } from "../../src/pagination/Cursor.ts"
import type { InvalidParameter } from "../../src/pagination/InvalidParameter.ts"
import type { ListQuery } from "../../src/pagination/ListQuery.ts"
import * as Links from "../../src/pagination/Links.ts"
import * as ListFormat from "../../src/pagination/internal/ListFormat.ts"
import type * as Pagination from "../../src/pagination/Pagination.ts"
import type { Paginated, Repository } from "../../src/pagination/Repository.ts"
import type { Scope, Selection } from "../../src/pagination/Selection.ts"
import * as Texts from "../http/Texts.ts"
import * as PageParameters from "./internal/PageParameters.ts"
import * as RequestServices from "../../src/http/internal/RequestServices.ts"

/** The rows of a list, and what a client may choose. */
export interface Options<C extends Columns, D extends Declared = Declared> {
  /** Rows by default, and the most that a client may ask for. */
  readonly limit?: number
  readonly maxLimit?: number
  readonly scope?: Scope<C, D>
  /** The sorts, filters and search that a client may choose. */
  readonly parameters?: ListQuery<C, string, D>
  /** Whether the list is also read backward: `before=` beside `cursor=`, and `previous` beside `next`. */
  readonly bidirectional?: boolean
  /** Whether the body has the cursor of each row. */
  readonly rowCursors?: boolean
  /** How rows are counted in page mode, and up to how many unless exactly. */
  readonly counting?: Pagination.Counting
  readonly totalCap?: number
}

/** A page of a list with the request it responds to. */
export interface ListPage<A> extends Paginated<A> {
  readonly request: Links.ListRequest
}

/** An invalid cursor, an invalid parameter or an invalid request; the response is 400. */
export type ListError = InvalidCursor | InvalidParameter | Pagination.InvalidPagination

const types = {
  "application/json": "application/json",
  "application/xml": "application/xml; charset=utf-8",
  "text/xml": "text/xml; charset=utf-8"
} as const

/** The media types of a list. */
type MediaType = keyof typeof types

// The default first.
const mediaTypes = ["application/json", "application/xml", "text/xml"] as const

/** The part of the list that a URL asks for. */
export const paginate = <C extends Columns, A, I, D extends Declared>(
  request: Links.ListRequest,
  repository: Repository<C, A, I, D>,
  selection?: Selection<C, NoInfer<D>>,
  options: Options<C, NoInfer<D>> = {}
): Effect.Effect<ListPage<A>, ListError> => {
  const [before, own] =
    options.bidirectional === true ? PageParameters.takeParameter(request, "before") : [undefined, request]
  const pagination = PageParameters.decode(own, options, before)
  if (Either.isLeft(pagination)) return Effect.fail(pagination.left)
  const { parameters, scope } = options
  const chosen = parameters === undefined ? undefined : parameters.decode(own, selection)
  if (chosen !== undefined && Either.isLeft(chosen)) return Effect.fail(chosen.left)
  const asked = repository.paginate(chosen?.right.selection ?? selection, pagination.right, scope)
  // The client is not to blame for what is stored.
  const paginated = Effect.catchTag(asked, "ForeignValue", Effect.die)
  return Effect.map(paginated, ({ items, pagination }) => ({ request: own, items, pagination }))
}

// Characters of a `Link` header. Clients and proxies refuse responses whose headers are long, many from 8 KiB on.
const maxLink = 4096

// `undefined` without a neighbour, and when it would be too long: then only the body names the next page or cursor.
const linkHeader = (request: Links.ListRequest, pagination: Pagination.Pagination): string | undefined => {
  const { next, prev } = Links.adjacent(request, pagination)
  const links = [next !== undefined && `<${next}>; rel="next"`, prev !== undefined && `<${prev}>; rel="prev"`]
  const line = links.filter((link) => link !== false).join(", ")
  return line === "" || line.length > maxLink ? undefined : line
}

/**
 * The headers of a response: links to the neighbours and, in page mode, the total.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
 * import { Context, Effect } from "effect"
 * import { Column, Entity, Links, type Repository } from "effect-framework/pagination"
 * import { ListRoute } from "effect-framework/routes/pagination"
 * import { Respond } from "effect-framework/routes/session"
 *
 * const Tea = Entity.make("teas", { key: "id", columns: { id: Column.integer, name: Column.text } })
 *
 * class Teas extends Context.Tag("shop/Teas")<Teas, Repository.For<typeof Tea>>() {}
 *
 * // A format of its own, with the same links and total as the others.
 * const names = Effect.gen(function* () {
 *   const { originalUrl } = yield* HttpServerRequest.HttpServerRequest
 *   const view = yield* ListRoute.paginate(Links.parse(originalUrl), yield* Teas)
 *   return Respond.text(view.items.map(({ name }) => name).join("\n"), { headers: ListRoute.headers(view) })
 * })
 *
 * export const route = HttpLayerRouter.route("GET", "/teas.txt", names)
 * ```
 */
export const headers = ({ request, pagination }: ListPage<unknown>): Record<string, string> => {
  const headers: Record<string, string> = { vary: "Accept" }
  const { accuracy, total } = pagination
  if (total !== null && (accuracy === null || accuracy === "exact")) headers["x-total-count"] = String(total)
  const link = linkHeader(request, pagination)
  if (link !== undefined) headers["link"] = link
  return headers
}

const respondAs = <C extends Columns, A, I, D extends Declared>(
  mediaType: MediaType,
  request: Links.ListRequest,
  repository: Repository<C, A, I, D>,
  selection?: Selection<C, NoInfer<D>>,
  options: Options<C, NoInfer<D>> = {}
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> =>
  Effect.catchAll(
    Effect.map(paginate(request, repository, selection, options), (view) => {
      const text = mediaType === "application/json" ? ListFormat.print(view) : xml(ListFormat.body(view))
      return send(mediaType, 200, text, headers(view))
    }),
    (refusal) =>
      Effect.map(Texts.message(refusal), (message) =>
        refuse(mediaType, 400, message, ErrorResponse.from(refusal)?.fields)
      )
  )

// An error response in the media type of the list; JSON also has what was expected of each field.
const refuse = (
  mediaType: MediaType,
  status: number,
  error: string,
  fields?: Readonly<Record<string, string>>
): HttpServerResponse.HttpServerResponse => {
  const text = mediaType === "application/json" ? JSON.stringify({ error, fields }) : xml({ error })
  return send(mediaType, status, text, { vary: "Accept", "cache-control": "no-store" })
}

const notAcceptable = Effect.map(Texts.of(HttpTexts), ({ refusal }) =>
  refuse("application/json", 406, refusal.listFormats(mediaTypes.join(", ")))
)

/**
 * The response to the current request: JSON, or XML when `Accept` prefers it; 406 when it allows neither.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter } from "@effect/platform"
 * import { Context, Effect } from "effect"
 * import { Column, Entity, type Repository } from "effect-framework/pagination"
 * import { ListRoute } from "effect-framework/routes/pagination"
 *
 * const Article = Entity.make("articles", { key: "id", columns: { id: Column.integer, title: Column.text } })
 *
 * class Articles extends Context.Tag("blog/Articles")<Articles, Repository.For<typeof Article>>() {}
 *
 * const list = Effect.flatMap(Articles, (articles) => ListRoute.respond(articles))
 *
 * export const route = HttpLayerRouter.route("GET", "/articles", list)
 * ```
 */
export const respond = <C extends Columns, A, I, D extends Declared>(
  repository: Repository<C, A, I, D>,
  selection?: Selection<C, NoInfer<D>>,
  options: Options<C, NoInfer<D>> = {}
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> =>
  RequestServices.use((services: Context.Context<HttpServerRequest.HttpServerRequest>) => {
    const request = Context.get(services, HttpServerRequest.HttpServerRequest)
    const mediaType = Accept.preferred(request.headers["accept"], mediaTypes)
    if (mediaType === undefined) return notAcceptable
    return respondAs(mediaType, Links.parse(request.originalUrl), repository, selection, options)
  })

const xml = (body: unknown): string => ListFormat.printXml("response", body)

const send = (mediaType: MediaType, status: number, text: string, headers: Record<string, string>) => {
  headers["content-type"] = types[mediaType]
  return HttpServerResponse.raw(text, { status, headers: Headers.unsafeFromRecord(headers) })
}
