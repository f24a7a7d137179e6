// The `Link` header of a list.
import { adjacent, type ListRequest } from "./Links.ts"
import type { Pagination } from "./Pagination.ts"

/** Characters of a `Link` header. Clients and proxies refuse responses whose headers are long, many from 8 KiB on. */
export const maxLength = 4096

/**
 * The `Link` header; nothing when there is nowhere to go, and nothing when it would be longer than `maxLength`: the
 * body then says alone which page or cursor is next.
 */
export const make = (asked: ListRequest, pagination: Pagination): string | undefined => {
  const link = linked(asked, pagination)
  return link === undefined || link.length > maxLength ? undefined : link
}

const linked = (asked: ListRequest, pagination: Pagination): string | undefined => {
  const { next, prev } = adjacent(asked, pagination)
  if (next === undefined) return prev === undefined ? undefined : `<${prev}>; rel="prev"`
  return prev === undefined ? `<${next}>; rel="next"` : `<${next}>; rel="next", <${prev}>; rel="prev"`
}
