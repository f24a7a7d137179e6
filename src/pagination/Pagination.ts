// Which part of a list is requested, and the outcome.
import { Either, Schema } from "effect"
import * as ErrorResponse from "../http/internal/ErrorResponse.ts"
import { HttpTexts } from "../http/HttpTexts.ts"
import { defaultLimit, totalCap as defaultCap } from "./internal/PageLimits.ts"

// A slice and a count of all rows, or the rows after a position and one more to see whether others follow.
type Mode = "Page" | "Cursor"

/** How the rows of a list are counted in page mode; `estimated` reads the statistics of PostgreSQL. */
export type Counting = "exact" | "capped" | "estimated" | "none"

/** What a total is: the number of rows, the fewest that there are, or about how many. */
export type Accuracy = "exact" | "atLeast" | "estimated"

/** A request that contradicts itself or that the list cannot serve. Detected before any query. */
export class InvalidPagination extends Schema.TaggedError<InvalidPagination>(
  "effect-framework/pagination/InvalidPagination"
)("InvalidPagination", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(400, {
      message: this.reason,
      translate: ({ texts }) => texts(HttpTexts).refusal.invalidList(this.reason)
    })
  }
}

/** The requested part and its outcome, which is empty before the query. */
export interface Pagination {
  readonly mode: Mode
  readonly limit: number
  /** From 1; null in cursor mode. */
  readonly page: number | null
  /** Rows after this cursor, empty for the first rows; null in page mode and when rows before a cursor are requested. */
  readonly cursor: string | null
  /** Rows before this cursor, empty for the last rows; null when rows after a cursor or a page are requested. */
  readonly before: string | null
  /** Cursor mode: whether `previous` is looked for. */
  readonly bidirectional: boolean
  /** Page mode: how rows are counted, and up to how many unless exactly. */
  readonly counting: Counting
  readonly totalCap: number
  /** Page mode: the number of rows that the selection finds, and of the pages that they fill; null if they are not counted. */
  readonly total: number | null
  readonly pages: number | null
  /** What the total is; null without one. */
  readonly accuracy: Accuracy | null
  /** Whether rows follow: in cursor mode, and in page mode unless rows are counted exactly. */
  readonly more: boolean
  /** Cursor mode: the cursor that leads to the rows that follow. */
  readonly next: string | null
  /** Where it was looked for: the cursor of the first row when rows precede it; empty when they are the last rows. */
  readonly previous: string | null
  /** The cursor of each row, where they were requested; else null. */
  readonly rowCursors: ReadonlyArray<string> | null
}

/** The page or the cursor that is wanted, and its limits. */
export interface Options {
  readonly limit?: number | undefined
  readonly page?: number | null | undefined
  readonly cursor?: string | null | undefined
  readonly before?: string | null | undefined
  readonly bidirectional?: boolean | undefined
  readonly rowCursors?: boolean | undefined
  readonly counting?: Counting | undefined
  readonly totalCap?: number | undefined
  readonly mode?: Mode | undefined
}

const refuse = (reason: string): Either.Either<never, InvalidPagination> =>
  Either.left(new InvalidPagination({ reason }))

/** The mode follows from the options: a cursor means cursor mode, a `page` page mode, neither means page 1. */
export const make = (options: Options = {}): Either.Either<Pagination, InvalidPagination> => {
  const { page = null, cursor = null, before = null, limit: size = defaultLimit } = options
  if (before !== null && cursor !== null) {
    return refuse("Ask for the rows after a cursor or for those before one, not for both.")
  }
  if (page !== null && (cursor !== null || before !== null)) {
    return refuse("Ask for a page or for a cursor, not for both.")
  }
  const inferred = cursor === null && before === null ? (page === null ? undefined : "Page") : "Cursor"
  const mode = options.mode ?? inferred ?? "Page"
  if (inferred !== undefined && mode !== inferred) {
    return refuse(`A ${inferred === "Page" ? "page number" : "cursor"} does not go with the mode ${mode}.`)
  }
  if (!Number.isSafeInteger(size) || size < 1) return refuse("The limit must be a whole number from 1.")
  if (page !== null && (!Number.isSafeInteger(page) || page < 1))
    return refuse("The page must be a whole number from 1.")
  if (mode === "Page") {
    if (options.bidirectional === true || options.rowCursors === true) return refuse("A page has no cursors.")
    const { counting = "exact", totalCap = defaultCap } = options
    if (counting === "exact") return Either.right(unresolved(mode, size, page ?? 1, null))
    if (!Number.isSafeInteger(totalCap) || totalCap < 1)
      return refuse("The cap of a total must be a whole number from 1.")
    return Either.right({ ...unresolved(mode, size, page ?? 1, null), counting, totalCap })
  }
  if (before === null && options.bidirectional !== true && options.rowCursors !== true) {
    return Either.right(unresolved(mode, size, null, cursor ?? ""))
  }
  return Either.right({
    ...unresolved(mode, size, null, before === null ? (cursor ?? "") : null),
    before,
    bidirectional: before !== null || options.bidirectional === true,
    rowCursors: options.rowCursors === true ? [] : null
  })
}

// Field by field: every request runs this, and spreading costs twenty times as much.
const unresolved = (mode: Mode, limit: number, page: number | null, cursor: string | null): Pagination => ({
  mode,
  limit,
  page,
  cursor,
  before: null,
  bidirectional: false,
  counting: "exact",
  totalCap: defaultCap,
  total: null,
  pages: null,
  accuracy: null,
  more: false,
  next: null,
  previous: null,
  rowCursors: null
})
