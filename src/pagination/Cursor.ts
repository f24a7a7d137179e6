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

/** A cursor that this server did not issue, or not for this list. Detected before any query. */
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
 */
export const decode = (token: string, arity: number): Either.Either<ReadonlyArray<Scalar>, InvalidCursor> =>
  Either.mapBoth(CursorToken.decode(token, arity), {
    onLeft: (problem) => new InvalidCursor(problem),
    onRight: (values) => values.filter(isScalar)
  })
