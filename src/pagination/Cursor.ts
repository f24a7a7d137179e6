// The position in a list as an opaque token: unpadded base64url of a JSON array of the last row's order values.
import { Context, Either, Schema } from "effect"
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
  }
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

/** Order values, the primary key last, as one token; refuses null and everything that is no scalar. */
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

/** Encodes and decodes cursors. */
export interface Codec {
  /** The cursor that a client gets; `list` names the entity, the order columns and the directions. */
  readonly encode: (token: string, list: string) => string
  /** The token of a cursor that was encoded for this list. */
  readonly decode: (cursor: string, list: string) => Either.Either<string, InvalidCursor>
}

// The token itself: readable and forgeable, but it reaches no row outside its list.
const plain: Codec = { encode: (token) => token, decode: Either.right }

/** The codec in use; plain unless a layer such as `SignedCursors` replaces it. */
export class CursorCodec extends Context.Reference<CursorCodec>()("effect-framework/pagination/CursorCodec", {
  defaultValue: () => plain
}) {}
