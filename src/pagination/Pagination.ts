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

/**
 * A request that contradicts itself or that the list cannot serve. Detected before any query.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Column, Connection, type Cursor, Entity, type Pagination, type Repository } from "effect-framework/pagination"
 *
 * const Cup = Entity.make("cups", { key: "id", columns: { id: Column.integer, name: Column.text } })
 *
 * type Refusal = Cursor.InvalidCursor | Pagination.InvalidPagination
 *
 * // A field of a GraphQL schema: the client has sent the arguments, and reads why they are refused.
 * export const resolve = (cups: Repository.For<typeof Cup>, given: Connection.Arguments) =>
 *   Connection.read(cups, given).pipe(
 *     Effect.catchTag("ForeignValue", Effect.die),
 *     Effect.mapError(({ message }: Refusal) => ({ message, extensions: { code: "BAD_USER_INPUT" } }))
 *   )
 * ```
 */
export class InvalidPagination extends Schema.TaggedError<InvalidPagination>(
  "effect-framework/pagination/InvalidPagination"
)(
  "InvalidPagination",
  {
    reason: Schema.String
  },
  ErrorResponse.declared(400, "The list cannot serve this request.")
) {
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

/** What a pagination of either mode has; the outcome is empty before the query. */
interface Part {
  readonly limit: number
  /** Whether rows follow: in cursor mode, and in page mode unless rows are counted exactly. */
  readonly more: boolean
}

/** A page, from 1, and how many rows and pages there are. */
export interface PagePart extends Part {
  readonly mode: "Page"
  readonly page: number
  /** How rows are counted, and up to how many unless exactly. */
  readonly counting: Counting
  readonly totalCap: number
  /** The number of rows that the selection finds, and of the pages that they fill; null if they are not counted. */
  readonly total: number | null
  readonly pages: number | null
  /** What the total is; null without one. */
  readonly accuracy: Accuracy | null
  readonly cursor: null
  readonly next: null
  readonly previous: null
  readonly rowCursors: null
}

/** The rows after a cursor or before one. */
export interface CursorPart extends Part {
  readonly mode: "Cursor"
  /** Rows after this cursor, empty for the first rows; null when rows before a cursor are requested. */
  readonly cursor: string | null
  /** Rows before this cursor, empty for the last rows; null when rows after a cursor are requested. */
  readonly before: string | null
  /** Whether `previous` is looked for. */
  readonly bidirectional: boolean
  /** The cursor that leads to the rows that follow. */
  readonly next: string | null
  /** Where it was looked for: the cursor of the first row when rows precede it; empty when they are the last rows. */
  readonly previous: string | null
  /** The cursor of each row, where they were requested; else null. */
  readonly rowCursors: ReadonlyArray<string> | null
  readonly page: null
  readonly total: null
  readonly pages: null
  readonly accuracy: null
}

/** The requested part of a list and its outcome. */
export type Pagination = PagePart | CursorPart

/** The page that is wanted; the first one by default. */
export interface PageOptions {
  readonly mode?: "Page" | undefined
  readonly limit?: number | undefined
  readonly page?: number | null | undefined
  readonly counting?: Counting | undefined
  readonly totalCap?: number | undefined
  readonly cursor?: null | undefined
  readonly before?: null | undefined
}

/** The rows after a cursor or before one; the first rows by default. */
export interface CursorOptions {
  readonly mode?: "Cursor" | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | null | undefined
  readonly before?: string | null | undefined
  readonly bidirectional?: boolean | undefined
  readonly rowCursors?: boolean | undefined
  readonly page?: null | undefined
}

/** The page or the cursor that is wanted, and its limits. */
export type Options = PageOptions | CursorOptions

// Both at once, as a caller without types may give it.
type Given = Omit<PageOptions, "mode" | "cursor" | "before"> &
  Omit<CursorOptions, "mode" | "page"> & { readonly mode?: Mode | undefined }

const refuse = (reason: string): Either.Either<never, InvalidPagination> =>
  Either.left(new InvalidPagination({ reason }))

const isSize = (number: number): boolean => Number.isSafeInteger(number) && number >= 1

/**
 * The mode follows from the options: a cursor means cursor mode, a `page` page mode, neither means page 1.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Pagination } from "effect-framework/pagination"
 *
 * export const program = Effect.gen(function* () {
 *   const page = yield* Pagination.make({ page: 2, limit: 20 })
 *   const cursor = yield* Pagination.make({ cursor: "", limit: 20 })
 *   return [page, cursor]
 * })
 * ```
 */
export function make(options?: PageOptions): Either.Either<PagePart, InvalidPagination>
export function make(
  options: CursorOptions & ({ readonly cursor: string } | { readonly before: string } | { readonly mode: "Cursor" })
): Either.Either<CursorPart, InvalidPagination>
export function make(options: Options): Either.Either<Pagination, InvalidPagination>
export function make(given: Given = {}): Either.Either<Pagination, InvalidPagination> {
  const { page = null, cursor = null, before = null, limit = defaultLimit } = given
  if (before !== null && cursor !== null) {
    return refuse("Ask for the rows after a cursor or for those before one, not for both.")
  }
  const byCursor = cursor !== null || before !== null
  if (page !== null && byCursor) return refuse("Ask for a page or for a cursor, not for both.")
  const inferred = byCursor ? "Cursor" : page === null ? undefined : "Page"
  const mode = given.mode ?? inferred ?? "Page"
  if (inferred !== undefined && mode !== inferred) {
    return refuse(`A ${byCursor ? "cursor" : "page number"} does not go with the mode ${mode}.`)
  }
  if (!isSize(limit)) return refuse("The limit must be a whole number from 1.")
  if (page !== null && !isSize(page)) return refuse("The page must be a whole number from 1.")
  if (mode === "Page") {
    if (given.bidirectional === true || given.rowCursors === true) return refuse("A page has no cursors.")
    const { counting = "exact", totalCap = defaultCap } = given
    if (!isSize(totalCap)) return refuse("The cap of a total must be a whole number from 1.")
    // Field by field: every request runs this, and spreading costs twenty times as much.
    return Either.right({
      mode,
      limit,
      page: page ?? 1,
      counting,
      totalCap,
      total: null,
      pages: null,
      accuracy: null,
      more: false,
      cursor: null,
      next: null,
      previous: null,
      rowCursors: null
    })
  }
  const bidirectional = before !== null || given.bidirectional === true
  const rowCursors = given.rowCursors === true ? [] : null
  return Either.right({
    mode,
    limit,
    cursor: before === null ? (cursor ?? "") : null,
    before,
    bidirectional,
    more: false,
    next: null,
    previous: null,
    rowCursors,
    page: null,
    total: null,
    pages: null,
    accuracy: null
  })
}
