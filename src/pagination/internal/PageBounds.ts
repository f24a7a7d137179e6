// The arithmetic of pages.
import { Either } from "effect"
import { make, type Pagination } from "../Pagination.ts"

/** The first page. */
export const first: Pagination = Either.getOrThrow(make())

/** The rows before the page, at most the largest offset that a database accepts. */
export const offset = (pagination: Pagination): number =>
  Math.min(((pagination.page ?? 1) - 1) * pagination.limit, Number.MAX_SAFE_INTEGER)

/** The number of pages for this many rows: 0 when there are none. */
export const pageCount = (total: number, limit: number): number => Math.ceil(total / limit)
