// A list over HTTP: the query says which part, headers lead to the neighbours, the body comes as the client likes it.
import { Headers, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Either } from "effect"
import * as Accept from "../../src/http/Accept.ts"
import type { Columns } from "../../src/pagination/Column.ts"
import type { InvalidCursor } from "../../src/pagination/Cursor.ts"
import * as LinkHeader from "../../src/pagination/LinkHeader.ts"
import * as Links from "../../src/pagination/Links.ts"
import * as ListJson from "../../src/pagination/ListJson.ts"
import type * as Pagination from "../../src/pagination/Pagination.ts"
import type { Paginated, Repository } from "../../src/pagination/Repository.ts"
import type { Scope, Selection } from "../../src/pagination/Selection.ts"
import * as Xml from "../../src/pagination/Xml.ts"
import * as ListQuery from "./ListQuery.ts"

/** The sizes of a page, and what holds whatever the client asks. */
export interface Options<C extends Columns> {
  /** Rows when the client does not say, and the most it may ask for. */
  readonly limit?: number
  readonly maxLimit?: number
  readonly scope?: Scope<C>
}

/** What a list answers, with what it was request. */
export interface ListPage<A> extends Paginated<A> {
  readonly request: Links.ListRequest
}

/** Why a list was not given: a cursor or a request that cannot be; answered with 400. */
export type ListError = InvalidCursor | Pagination.InvalidPagination

const types = {
  "application/json": "application/json",
  "application/xml": "application/xml; charset=utf-8",
  "text/xml": "text/xml; charset=utf-8"
} as const

/** The media types of a list. */
export type MediaType = keyof typeof types

/** The forms of a list, the default first. */
export const mediaTypes = ["application/json", "application/xml", "text/xml"] as const

/** The part of the list that a URL asks for. */
export const paginate = <C extends Columns, A, I>(
  request: Links.ListRequest,
  repository: Repository<C, A, I>,
  selection?: Selection<C>,
  options: Options<C> = {}
): Effect.Effect<ListPage<A>, ListError> => {
  const pagination = ListQuery.read(request, options)
  if (Either.isLeft(pagination)) return Effect.fail(pagination.left)
  const paginated = repository.paginate(selection, pagination.right, options.scope)
  return Effect.map(paginated, ({ items, pagination }) => ({ request, items, pagination }))
}

/** The headers of an answer: where its neighbours are and, for pages, how many rows there are. */
export const headers = ({ request, pagination }: ListPage<unknown>): Record<string, string> => {
  const headers: Record<string, string> = { vary: "Accept" }
  if (pagination.total !== null) headers["x-total-count"] = String(pagination.total)
  const link = LinkHeader.make(request, pagination)
  if (link !== undefined) headers["link"] = link
  return headers
}

/** The part of the list that a URL asks for, in this form; 400 for a cursor that is none. */
export const answer = <C extends Columns, A, I>(
  form: MediaType,
  request: Links.ListRequest,
  repository: Repository<C, A, I>,
  selection?: Selection<C>,
  options: Options<C> = {}
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.match(paginate(request, repository, selection, options), {
    onFailure: (refusal) => refuse(form, 400, refusal.message),
    onSuccess: (view) => {
      const text = form === "application/json" ? ListJson.print(view) : xml(ListJson.body(view))
      return send(form, 200, text, headers(view))
    }
  })

/** A refusal in words, in the form of the list. */
export const refuse = (form: MediaType, status: number, error: string): HttpServerResponse.HttpServerResponse => {
  const text = form === "application/json" ? JSON.stringify({ error }) : xml({ error })
  return send(form, status, text, { vary: "Accept", "cache-control": "no-store" })
}

/** The client takes none of the forms that a list has. */
export const notAcceptable = (): HttpServerResponse.HttpServerResponse =>
  refuse("application/json", 406, `This list can be had as ${mediaTypes.join(", ")}.`)

/**
 * The whole answer: JSON unless the client would rather have XML, 406 when it takes neither.
 *
 * HttpLayerRouter.route("GET", "/articles", Effect.flatMap(Articles, (articles) => Resource.respond(articles)))
 */
export const respond = <C extends Columns, A, I>(
  repository: Repository<C, A, I>,
  selection?: Selection<C>,
  options: Options<C> = {}
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const form = Accept.preferred(request.headers["accept"], mediaTypes)
    if (form === undefined) return Effect.succeed(notAcceptable())
    return answer(form, Links.parse(request.originalUrl), repository, selection, options)
  })

const xml = (body: unknown): string => Xml.print("response", body)

const send = (form: MediaType, status: number, text: string, headers: Record<string, string>) => {
  headers["content-type"] = types[form]
  return HttpServerResponse.raw(text, { status, headers: Headers.unsafeFromRecord(headers) })
}
