// The URL a list was asked with, and the links to its neighbours: foreign parameters stay as they were written.
import type { Pagination } from "./Pagination.ts"

/** A request for a part of a list, taken apart. */
export interface ListRequest {
  readonly path: string
  /** Foreign parameters, as they were written, joined by `&`. */
  readonly otherParams: string
  /** The first value of each of our own parameters that is there. */
  readonly page: string | undefined
  readonly limit: string | undefined
  readonly cursor: string | undefined
}

const own = new Set(["page", "limit", "cursor"])

// What is not percent-encoding is taken literally.
const decode = (text: string): string => {
  if (!/[%+]/.test(text)) return text
  const spaced = text.replaceAll("+", " ")
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

// A `>` would end the link, a quote its URL in a page; the rest is what no URL may hold.
const unsafe = /[^\x21-\x7e]|[<>"\\^`{|}]/gu

const percent = (char: string): string => {
  const code = char.charCodeAt(0)
  // Node hands on the bytes of a URL one by one as characters below 256.
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
  const foreign: Array<string> = []
  for (const part of mark < 0 ? [] : target.slice(mark + 1).split("&")) {
    if (part === "") continue
    const equals = part.indexOf("=")
    const name = decode(equals < 0 ? part : part.slice(0, equals))
    if (!own.has(name)) foreign.push(safe(part))
    else if (!found.has(name)) found.set(name, equals < 0 ? "" : decode(part.slice(equals + 1)))
  }
  return {
    // `//host/x` as a link would leave this site.
    path: safe(`/${path.replace(/^\/+/, "")}`),
    otherParams: foreign.join("&"),
    page: found.get("page"),
    limit: found.get("limit"),
    cursor: found.get("cursor")
  }
}

/** The URL of a page of the same list. */
export const page = (asked: ListRequest, limit: number, page: number): string =>
  target(asked, `limit=${limit}&page=${page}`)

/** The URL of what follows a cursor; an empty one is the start. */
export const cursor = (asked: ListRequest, limit: number, cursor: string): string =>
  target(asked, `limit=${limit}&cursor=${encodeURIComponent(cursor)}`)

const target = (asked: ListRequest, ours: string): string =>
  `${asked.path}?${asked.otherParams === "" ? "" : `${asked.otherParams}&`}${ours}`

/** The URLs before and after what was answered. */
export const adjacent = (
  asked: ListRequest,
  pagination: Pagination
): { readonly next: string | undefined; readonly prev: string | undefined } => {
  const { limit, page: current, pages, next } = pagination
  if (current === null || pages === null) {
    return { next: next === null ? undefined : cursor(asked, limit, next), prev: undefined }
  }
  return {
    next: current < pages ? page(asked, limit, current + 1) : undefined,
    // Past the end the way back leads to the last page that has rows.
    prev: current > 1 && pages > 0 ? page(asked, limit, Math.min(current - 1, pages)) : undefined
  }
}
