// The position in a list as an opaque token: unpadded base64url of a JSON array of the last row's order values.
import { Either, Schema } from "effect"
import * as ErrorResponse from "../errors/ErrorResponse.ts"
import { english, HttpTexts } from "../http/HttpTexts.ts"
import type { Scalar } from "./ColumnKind.ts"
import { isScalar } from "./ColumnValue.ts"

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

const refuse = (problem: InvalidCursor["problem"], detail = ""): Either.Either<never, InvalidCursor> =>
  Either.left(new InvalidCursor({ problem, detail }))

const least = -(2n ** 63n)
const most = 2n ** 63n - 1n

// Past 2^53 JSON writes the fewest digits that tell a number from its neighbours, and not the number itself:
// 20412578711952112 is written as 20412578711952110, which would be read as another integer.
const spellNumber = (value: number): string =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 63
    ? BigInt(value).toString()
    : JSON.stringify(value)

// Integers are written digit by digit: JSON does not limit their size, only JavaScript's numbers do.
const spell = (value: unknown): string | undefined => {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value)
    case "number":
      return Number.isFinite(value) ? spellNumber(value) : undefined
    case "boolean":
      return value ? "true" : "false"
    case "bigint":
      return value >= least && value <= most ? value.toString() : undefined
    default:
      return undefined
  }
}

// The JSON text, or the index of the value that has none.
const print = (values: ReadonlyArray<unknown>): string | number => {
  let text = "["
  for (let index = 0; index < values.length; index++) {
    const spelled = spell(values[index])
    if (spelled === undefined) return index
    text += index === 0 ? spelled : `,${spelled}`
  }
  return `${text}]`
}

/** Order values, the primary key last, as one token; refuses null and everything that is no scalar. */
export const encode = (values: ReadonlyArray<unknown>): Either.Either<string, InvalidCursor> => {
  const text = print(values)
  if (typeof text === "number") return refuse("value", `value ${text + 1}`)
  return Either.right(Buffer.from(text, "utf8").toString("base64url"))
}

// Past 15 digits `JSON.parse` may round. Such integers are read again from the text, one element after the other.
const long = /\d{16}/
const element = /"(?:[^"\\]|\\.)*"|[^,[\]"]+/g

const exact = (text: string, values: ReadonlyArray<Scalar>): ReadonlyArray<Scalar> => {
  const spelled = text.match(element) ?? []
  return values.map((value, index) => {
    const digits = spelled[index] ?? ""
    if (typeof value !== "number" || Number.isSafeInteger(value) || !/^-?\d{1,20}$/.test(digits)) return value
    const integer = BigInt(digits)
    return integer >= least && integer <= most ? integer : value
  })
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// Node ignores padding, spaces and stray bits in base64, and broken UTF-8: only what it would write itself is accepted.
const read = (token: string): string | undefined => {
  const bytes = Buffer.from(token, "base64url")
  if (bytes.toString("base64url") !== token) return undefined
  const text = bytes.toString("utf8")
  return text.includes("\ufffd") && !Buffer.from(text, "utf8").equals(bytes) ? undefined : text
}

/**
 * The values of a token. Strict: only what `encode` would write is read, so a token has one spelling. An integer is a
 * number where that is exact and a bigint beyond.
 */
export const decode = (token: string, arity: number): Either.Either<ReadonlyArray<Scalar>, InvalidCursor> => {
  const text = read(token)
  if (text === undefined) return refuse(/^[\w-]*$/.test(token) ? "spelling" : "alphabet")
  const parsed = parse(text)
  if (!Array.isArray(parsed)) return refuse("content")
  const odd = parsed.findIndex((value) => !isScalar(value))
  if (odd >= 0) return refuse("value", `value ${odd + 1}`)
  const isLong = long.test(text)
  const values: ReadonlyArray<Scalar> = isLong ? exact(text, parsed) : parsed
  if ((isLong ? print(values) : JSON.stringify(values)) !== text) return refuse("spelling")
  if (values.length === arity) return Either.right(values)
  return refuse("arity", `${count(values.length, "value")} where this list is ordered by ${count(arity, "column")}`)
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`
