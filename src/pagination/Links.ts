// The URL of a list request and the links to the neighbouring pages. Other parameters are kept as they were written.
import { decode } from "./internal/query/QueryText.ts"
import type { Pagination } from "./Pagination.ts"

/** The parsed URL of a request for a part of a list. */
export interface ListRequest {
  readonly path: string
  /** All other parameters as they were written, joined by `&`. */
  readonly otherParams: string
  /** The first value of each pagination parameter; `undefined` when it is absent. */
  readonly page: string | undefined
  readonly limit: string | undefined
  readonly cursor: string | undefined
}

const parameters = new Set(["page", "limit", "cursor"])

// A `>` would end the link, a quote its URL in a page; the others are not allowed in a URL.
const unsafe = /[^\x21-\x7e]|[<>"\\^`{|}]/gu

const percent = (char: string): string => {
  const code = char.charCodeAt(0)
  // Node passes the bytes of a URL on as characters below 256.
  if (code < 256) return `%${code.toString(16).toUpperCase().padStart(2, "0")}`
  return encodeURIComponent(/\p{Surrogate}/u.test(char) ? "\ufffd" : char)
}

const safe = (text: string): string => text.replace(unsafe, percent)

const relative = (url: string): string => {
  const local = url.startsWith("/") ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "")
  const hash = local.indexOf("#")
  return hash < 0 ? local : local.slice(0, hash)
}

/** The URL of a request, with or without its origin. */
export const parse = (url: string): ListRequest => {
  const target = relative(url)
  const mark = target.indexOf("?")
  const path = mark < 0 ? target : target.slice(0, mark)
  const found = new Map<string, string>()
  const others: Array<string> = []
  for (const part of mark < 0 ? [] : target.slice(mark + 1).split("&")) {
    if (part === "") continue
    const equals = part.indexOf("=")
    const name = decode(equals < 0 ? part : part.slice(0, equals))
    if (!parameters.has(name)) others.push(safe(part))
    else if (!found.has(name)) found.set(name, equals < 0 ? "" : decode(part.slice(equals + 1)))
  }
  return {
    // `//host/x` as a link would leave this site.
    path: safe(`/${path.replace(/^\/+/, "")}`),
    otherParams: others.join("&"),
    page: found.get("page"),
    limit: found.get("limit"),
    cursor: found.get("cursor")
  }
}

/**
 * The URL of a page of the same list.
 *
 * @example
 * ```ts
 * import { Html } from "effect-framework/http"
 * import { Links } from "effect-framework/pagination"
 * import type { ListRoute } from "effect-framework/routes/pagination"
 *
 * const { html } = Html
 *
 * // A link to each page, and one to the same list without pages.
 * export const navigation = ({ pagination, request }: ListRoute.ListPage<unknown>) => {
 *   const { limit, pages } = pagination
 *   const numbers = Array.from({ length: pages ?? 0 }, (_, index) => index + 1)
 *   return html`<nav>
 *     ${numbers.map((number) => html`<a href="${Links.page(request, limit, number)}">${number}</a>`)}
 *     <a href="${Links.cursor(request, limit, "")}">Without pages</a>
 *   </nav>`
 * }
 * ```
 */
export const page = (request: ListRequest, limit: number, page: number): string =>
  target(request, `limit=${limit}&page=${page}`)

/** The URL of the rows after a cursor; an empty cursor is the start. */
export const cursor = (request: ListRequest, limit: number, cursor: string): string =>
  target(request, `limit=${limit}&cursor=${encodeURIComponent(cursor)}`)

// The URL of the rows before a cursor; an empty cursor is the end.
const before = (request: ListRequest, limit: number, cursor: string): string =>
  target(request, `limit=${limit}&before=${encodeURIComponent(cursor)}`)

const target = (request: ListRequest, own: string): string =>
  `${request.path}?${request.otherParams === "" ? "" : `${request.otherParams}&`}${own}`

/** The URLs of the previous and the next part. */
export const adjacent = (
  request: ListRequest,
  pagination: Pagination
): { readonly next: string | undefined; readonly prev: string | undefined } => {
  if (pagination.mode === "Cursor") {
    const { limit, next, previous } = pagination
    return {
      next: next === null ? undefined : cursor(request, limit, next),
      prev: previous === null ? undefined : before(request, limit, previous)
    }
  }
  const { accuracy, limit, more, page: current, pages } = pagination
  // Without an exact total it is not known which page is the last one.
  if (pages === null || (accuracy !== null && accuracy !== "exact")) {
    return {
      next: more ? page(request, limit, current + 1) : undefined,
      prev: current > 1 ? page(request, limit, current - 1) : undefined
    }
  }
  return {
    next: current < pages ? page(request, limit, current + 1) : undefined,
    // Past the end, the link leads back to the last page that has rows.
    prev: current > 1 && pages > 0 ? page(request, limit, Math.min(current - 1, pages)) : undefined
  }
}
