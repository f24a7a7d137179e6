// The query parameters of a list: `cursor`, `before`, `page` and `limit`.
import type { Either } from "effect"
import type * as Links from "../../../src/pagination/Links.ts"
import * as PageLimits from "../../../src/pagination/internal/PageLimits.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import type { ListRequest } from "../../../src/pagination/Links.ts"
import * as QueryText from "../../../src/pagination/internal/query/QueryText.ts"

// Digits only: a sign, a fraction or an exponent is not a number of rows.
const whole = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : undefined

interface Options {
  readonly limit?: number
  readonly maxLimit?: number
  readonly bidirectional?: boolean
  readonly rowCursors?: boolean
  readonly counting?: Pagination.Counting
  readonly totalCap?: number
}

/**
 * The part that the query requests. A cursor, even an empty one, wins over a `page`; a malformed value is the default.
 * `before` is the parameter of a list that can be read backward.
 */
export const decode = (
  request: Links.ListRequest,
  options: Options = {},
  before?: string
): Either.Either<Pagination.Pagination, Pagination.InvalidPagination> => {
  const { bidirectional, counting, limit = PageLimits.defaultLimit, maxLimit = PageLimits.maxLimit } = options
  const size = Math.min(whole(request.limit) || limit, maxLimit)
  const { cursor } = request
  if (cursor !== undefined || before !== undefined) {
    return Pagination.make({ limit: size, cursor, before, bidirectional, rowCursors: options.rowCursors })
  }
  return Pagination.make({ limit: size, page: whole(request.page) || 1, counting, totalCap: options.totalCap })
}

/**
 * The value of a parameter that only some lists have, and the request without it. Lists that do not have it keep it in
 * their links like every other parameter.
 */
export const takeParameter = (request: ListRequest, name: string): readonly [string | undefined, ListRequest] => {
  const others: Array<string> = []
  let value: string | undefined
  for (const part of request.otherParams.split("&")) {
    const equals = part.indexOf("=")
    if (part === "" || QueryText.decode(equals < 0 ? part : part.slice(0, equals)) !== name) others.push(part)
    else value ??= equals < 0 ? "" : QueryText.decode(part.slice(equals + 1))
  }
  return value === undefined ? [value, request] : [value, { ...request, otherParams: others.join("&") }]
}
