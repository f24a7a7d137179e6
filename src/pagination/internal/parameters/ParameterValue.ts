// The text of a query parameter as a value of a column.
import { Either, Schema, SchemaAST } from "effect"
import type { Column } from "../../Column.ts"
import type { Kind, Scalar } from "../columns/ColumnKind.ts"
import { coerce, encode, isScalar, spell } from "../columns/ColumnValue.ts"

/** Characters of a value. */
export const maxLength = 200

// oxlint-disable-next-line no-control-regex -- PostgreSQL refuses U+0000, and the others are in no text that people write
const control = /[\u0000-\u001f\u007f]|\p{Surrogate}/u

/** Whether a text holds no control character and no half of a surrogate pair. */
export const isPlain = (text: string): boolean => !control.test(text)

const number = /^-?\d{1,300}(?:\.\d{1,300})?(?:[eE][+-]?\d{1,3})?$/
const moment = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(Z|[+-]\d\d(?::?\d\d)?))?$/

// In UTC and to the microsecond, which is the one spelling that SQLite compares right. A day is its first moment.
const canonical = (text: string): string | undefined => {
  const [, day, time = "00:00:00", fraction = "", zone = "Z"] = moment.exec(text) ?? []
  if (day === undefined || coerce({ kind: "timestamp" }, `${day}T${time}Z`) === undefined) return undefined
  return spell("timestamp", `${day}T${time}.${fraction.padEnd(6, "0")}${zone}`)
}

const readers: Partial<Record<Kind, (text: string) => Scalar | undefined>> = {
  integer: (text) => (/^-?\d{1,16}$/.test(text) ? Number(text) : undefined),
  bigint: (text) => (/^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined),
  float: (text) => (number.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined),
  boolean: (text) => (text === "true" ? true : text === "false" ? false : undefined),
  timestamp: canonical
}

/** The value as the column holds it; `undefined` when the column holds no such value. */
export const parse = (column: Column, text: string): Scalar | undefined => {
  const reader = readers[column.kind]
  const given = reader === undefined ? text : reader(text)
  const value = given === undefined ? undefined : coerce(column, given)
  if (value === undefined || !column.decodes) return value
  const decode = Schema.decodeUnknownEither(Schema.make(column.schema.ast))
  const decoded = decode(typeof value === "bigint" ? value.toString() : value)
  if (Either.isLeft(decoded)) return undefined
  // To the microsecond, as a list shows it: the schema's own type may hold less of it.
  if (column.kind === "timestamp") return value
  // The schema may spell a value in one way alone.
  const encoded = encode(column, decoded.right)
  return isScalar(encoded) ? encoded : undefined
}

const phrases: Readonly<Record<Kind, string>> = {
  text: `a text of at most ${maxLength} characters`,
  uuid: "a UUID",
  timestamp: "a date or a time such as 2024-02-29T12:00:00Z",
  integer: "a whole number",
  bigint: "a whole number",
  float: "a number",
  boolean: "true or false",
  date: "a date such as 2024-02-29",
  time: "a time such as 12:30:00",
  decimal: "a decimal number",
  bytes: "base64",
  json: "nothing"
}

/** What a value of the column is, in words. */
export const describe = (column: Column): string => {
  const texts = literals(column)
  return texts === undefined ? phrases[column.kind] : `one of ${texts.join(", ")}`
}

/** The texts that a column of `Column.literal` holds. */
export const literals = ({ schema }: Column): ReadonlyArray<string> | undefined => {
  const encoded = SchemaAST.encodedAST(schema.ast)
  const members = (SchemaAST.isUnion(encoded) ? encoded.types : [encoded]).filter(
    (member) => !(SchemaAST.isLiteral(member) && member.literal === null)
  )
  const texts = members.flatMap((member) =>
    SchemaAST.isLiteral(member) && typeof member.literal === "string" ? [member.literal] : []
  )
  return texts.length > 0 && texts.length === members.length ? texts : undefined
}
