// The arithmetic of pages.
import type { Pagination } from "./Pagination.ts"

/** Rows before the page; never past what a database takes for an offset. */
export const offset = (pagination: Pagination): number =>
  Math.min(((pagination.page ?? 1) - 1) * pagination.limit, Number.MAX_SAFE_INTEGER)

/** Pages that hold so many rows: 0 when there are none. */
export const pageCount = (total: number, limit: number): number => Math.ceil(total / limit)
