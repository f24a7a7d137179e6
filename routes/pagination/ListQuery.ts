// The query parameters of a list: `cursor`, `page` and `limit`.
import type { Either } from "effect"
import type * as Links from "../../src/pagination/Links.ts"
import * as PageLimits from "../../src/pagination/PageLimits.ts"
import * as Pagination from "../../src/pagination/Pagination.ts"

// Digits only: a sign, a fraction or an exponent is not a number of rows.
const whole = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : undefined

/** The part that the query requests. A `cursor`, even an empty one, wins over a `page`; a malformed value is the default. */
export const read = (
  request: Links.ListRequest,
  {
    maxLimit = PageLimits.maxLimit,
    limit = PageLimits.defaultLimit
  }: { readonly limit?: number; readonly maxLimit?: number } = {}
): Either.Either<Pagination.Pagination, Pagination.InvalidPagination> => {
  const size = Math.min(whole(request.limit) || limit, maxLimit)
  if (request.cursor !== undefined) return Pagination.make({ limit: size, cursor: request.cursor })
  return Pagination.make({ limit: size, page: whole(request.page) || 1 })
}
