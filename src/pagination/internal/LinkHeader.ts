// The `Link` header of a list.
import { adjacent, type ListRequest } from "../Links.ts"
import type { Pagination } from "../Pagination.ts"

/** Characters of a `Link` header. Clients and proxies refuse responses whose headers are long, many from 8 KiB on. */
export const maxLength = 4096

/**
 * The `Link` header; `undefined` when there is no neighbour or when it would be longer than `maxLength`: then only the
 * body names the next page or cursor.
 */
export const make = (request: ListRequest, pagination: Pagination): string | undefined => {
  const link = format(request, pagination)
  return link === undefined || link.length > maxLength ? undefined : link
}

const format = (request: ListRequest, pagination: Pagination): string | undefined => {
  const { next, prev } = adjacent(request, pagination)
  if (next === undefined) return prev === undefined ? undefined : `<${prev}>; rel="prev"`
  return prev === undefined ? `<${next}>; rel="next"` : `<${next}>; rel="next", <${prev}>; rel="prev"`
}
