// The position in a list as an opaque token: unpadded base64url of a JSON array of the last row's order values.
import { Either, Schema } from "effect"
import * as ErrorResponse from "../http/internal/ErrorResponse.ts"
import { english, HttpTexts } from "../http/HttpTexts.ts"
import type { Scalar } from "./internal/columns/ColumnKind.ts"
import { isScalar } from "./internal/columns/ColumnValue.ts"
import * as CursorToken from "./internal/columns/CursorToken.ts"

const problems = {
  alphabet: () => "it may hold only the letters, digits, - and _ of base64url",
  content: () => "it does not hold a list of values",
  value: ({ detail }: { readonly detail: string }) => `${detail} is not a value that an order column can hold`,
  spelling: () => "it is not spelled the way this server spells cursors",
  arity: ({ detail }: { readonly detail: string }) => `it holds ${detail}`,
  list: () => "it was not issued for this list"
} as const

/**
 * A cursor that this server did not issue, or not for this list. Detected before any query.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Column, type Cursor, Entity, Pagination, type Repository } from "effect-framework/pagination"
 *
 * const Tea = Entity.make("teas", { key: "id", columns: { id: Column.integer, name: Column.text } })
 *
 * const read = (teas: Repository.For<typeof Tea>, cursor: string) =>
 *   Effect.flatMap(Pagination.make({ cursor }), (part) => teas.paginate(teas.select.order("Asc", "name"), part))
 *
 * // A position that was stored before the order was changed belongs to another list: start again.
 * export const resume = (teas: Repository.For<typeof Tea>, stored: string) =>
 *   Effect.catchTag(read(teas, stored), "InvalidCursor", ({ problem }: Cursor.InvalidCursor) =>
 *     Effect.zipRight(Effect.logInfo(`The stored position is not used: ${problem}`), read(teas, ""))
 *   )
 * ```
 */
export class InvalidCursor extends Schema.TaggedError<InvalidCursor>("effect-framework/pagination/InvalidCursor")(
  "InvalidCursor",
  {
    problem: Schema.Literal("alphabet", "content", "value", "spelling", "arity", "list"),
    detail: Schema.String
  },
  ErrorResponse.declared(400, "The cursor was not issued for this list.")
) {
  override get message() {
    return english.refusal.invalidCursor(problems[this.problem](this))
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(400, {
      message: this.message,
      translate: ({ texts }) => texts(HttpTexts).refusal.invalidCursor(problems[this.problem](this))
    })
  }
}

/**
 * Order values, the primary key last, as one token; refuses null and everything that is no scalar.
 *
 * @example
 * ```ts
 * import { Cursor } from "effect-framework/pagination"
 *
 * Cursor.encode(["Bob", 7]) // Either.right("WyJCb2IiLDdd")
 * ```
 */
export const encode = (values: ReadonlyArray<unknown>): Either.Either<string, InvalidCursor> =>
  Either.mapLeft(CursorToken.encode(values), (problem) => new InvalidCursor(problem))

/**
 * The values of a token. Strict: only what `encode` would write is read, so a token has one spelling. An integer is a
 * number where that is exact and a bigint beyond.
 *
 * @example
 * ```ts
 * import { Either } from "effect"
 * import { Cursor } from "effect-framework/pagination"
 *
 * // Where a reader was, by the link that they sent: the name and the key of the last row.
 * export const position = Either.map(Cursor.decode("WyJCb2IiLDdd", 2), ([name, id]) => `after ${name}, number ${id}`)
 * ```
 */
export const decode = (token: string, arity: number): Either.Either<ReadonlyArray<Scalar>, InvalidCursor> =>
  Either.mapBoth(CursorToken.decode(token, arity), {
    onLeft: (problem) => new InvalidCursor(problem),
    onRight: (values) => values.filter(isScalar)
  })
