// The token of a cursor: unpadded base64url of a JSON array, in one spelling.
import { Either } from "effect"
import type { Scalar } from "./ColumnKind.ts"
import { isScalar } from "./ColumnValue.ts"

/** What is wrong with a token. */
interface Problem {
  readonly problem: "alphabet" | "content" | "value" | "spelling" | "arity"
  readonly detail: string
}

// Whether the value at each index may be null.
type Nullable = ReadonlyArray<boolean>

const refuse = (problem: Problem["problem"], detail = ""): Either.Either<never, Problem> =>
  Either.left({ problem, detail })

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
const print = (values: ReadonlyArray<unknown>, nullable: Nullable): string | number => {
  let text = "["
  for (let index = 0; index < values.length; index++) {
    const spelled = values[index] === null && nullable[index] === true ? "null" : spell(values[index])
    if (spelled === undefined) return index
    text += index === 0 ? spelled : `,${spelled}`
  }
  return `${text}]`
}

/** Order values, the primary key last, as one token; refuses what is no scalar, and null where it is not allowed. */
export const encode = (values: ReadonlyArray<unknown>, nullable: Nullable = []): Either.Either<string, Problem> => {
  const text = print(values, nullable)
  if (typeof text === "number") return refuse("value", `value ${text + 1}`)
  return Either.right(Buffer.from(text, "utf8").toString("base64url"))
}

// Past 15 digits `JSON.parse` may round. Such integers are read again from the text, one element after the other.
const long = /\d{16}/
const element = /"(?:[^"\\]|\\.)*"|[^,[\]"]+/g

const exact = (text: string, values: ReadonlyArray<Scalar | null>): ReadonlyArray<Scalar | null> => {
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

/** The values of a token, strictly: only what `encode` would write is read. */
export const decode = (
  token: string,
  arity: number,
  nullable: Nullable = []
): Either.Either<ReadonlyArray<Scalar | null>, Problem> => {
  const text = read(token)
  if (text === undefined) return refuse(/^[\w-]*$/.test(token) ? "spelling" : "alphabet")
  const parsed = parse(text)
  if (!Array.isArray(parsed)) return refuse("content")
  const odd = parsed.findIndex((value, index) => !isScalar(value) && (value !== null || nullable[index] !== true))
  if (odd >= 0) return refuse("value", `value ${odd + 1}`)
  const isLong = long.test(text)
  const values: ReadonlyArray<Scalar | null> = isLong ? exact(text, parsed) : parsed
  if ((isLong ? print(values, nullable) : JSON.stringify(values)) !== text) return refuse("spelling")
  if (values.length === arity) return Either.right(values)
  return refuse("arity", `${count(values.length, "value")} where this list is ordered by ${count(arity, "column")}`)
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`
