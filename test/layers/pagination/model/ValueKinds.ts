// The kinds of values that a model's table holds: how they are declared, which of them there are, and what comes first.
import { Schema } from "effect"
import * as Column from "../../../../src/pagination/Column.ts"
import type { Scalar } from "../../../../src/pagination/internal/columns/ColumnKind.ts"
import type { Engine } from "../../../support/Databases.ts"

export interface ValueKind {
  readonly column: Column.Columns[string]
  /** The type in the database, with its collation. */
  readonly type: string
  /** Few values, so that most rows tie. */
  readonly values: ReadonlyArray<Scalar>
  readonly compare: (left: Scalar, right: Scalar) => number
  /** Whether patterns match it as they match the text itself. */
  readonly hasPatterns: boolean
  /** Whether its values are compared and ordered. */
  readonly isOrdered: boolean
}

type Compare = ValueKind["compare"]

const byValue: Compare = (left, right) => (left < right ? -1 : left > right ? 1 : 0)

// NaN comes after every number and equals itself: PostgreSQL orders it so.
const byNumber: Compare = (left, right) =>
  Number.isNaN(left) || Number.isNaN(right)
    ? Number(Number.isNaN(left)) - Number(Number.isNaN(right))
    : byValue(left, right)

const byText =
  (fold: (text: string) => string): Compare =>
  (left, right) =>
    Buffer.compare(Buffer.from(fold(String(left))), Buffer.from(fold(String(right))))

const byBytes: Compare = (left, right) =>
  Buffer.compare(Buffer.from(String(left), "base64"), Buffer.from(String(right), "base64"))

const byCents: Compare = (left, right) =>
  byValue(BigInt(String(left).replace(".", "")), BigInt(String(right).replace(".", "")))

const byPlace =
  (...places: ReadonlyArray<Scalar>): Compare =>
  (left, right) =>
    places.indexOf(left) - places.indexOf(right)

// A date or a moment, of which the infinite ones come first and last.
const byTime: Compare = (left, right) => rank(left) - rank(right) || byText((text) => text)(left, right)
const rank = (value: Scalar): number => (value === "infinity" ? 1 : value === "-infinity" ? -1 : 0)

const collator = new Intl.Collator("en")
const byLanguage: Compare = (left, right) =>
  collator.compare(String(left), String(right)) || byText((text) => text)(left, right)
const insensitive = new Intl.Collator("en", { sensitivity: "accent" })
const byLetters: Compare = (left, right) => insensitive.compare(String(left), String(right))

const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

const kind = (
  column: Column.Columns[string],
  type: string,
  values: ReadonlyArray<Scalar>,
  compare = byValue
): ValueKind => ({
  column,
  type,
  values,
  compare,
  hasPatterns: false,
  isOrdered: true
})

const words = ["", "A", "a", "aB", "a b", "b", "B", "é", "z'\"", "𝄞", "\uffee", "50%_\\*?[a]"]
const letters = ["", "a", "A", "ab", "Ab", "a b", "b", "B", "e", "é", "E", "z"]
const uuids = [1, 2, 255].map((number) => `018f3c2e-7b1a-7c3d-9e4f-${number.toString(16).padStart(12, "0")}`)
const moments = [
  "1999-12-31T23:59:59.999999Z",
  "2024-02-29T12:00:00.000000Z",
  "2024-02-29T12:00:00.000001Z",
  "2024-02-29T12:00:00.001000Z"
]
const days = ["0001-01-01", "1999-12-31", "2000-02-29", "9999-12-31"]
const times = ["00:00:00.000000", "09:30:00.000001", "23:59:59.999999", "24:00:00.000000"]
const small = [-2147483648, -1, 0, 1, 2147483647]
const exact = [-(2 ** 53) + 1, -1, 0, 2 ** 31, 2 ** 53 - 2, 2 ** 53 - 1]
// Neighbours that are one and the same as JavaScript numbers.
const wide = [-(2n ** 63n), -1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n]
const floats = [-Infinity, -0.1, 0, 5e-324, 0.1, 0.30000000000000004, 2 ** 60, 1e300, Infinity]
const costs = ["-0.01", "0.00", "0.10", "9.99", "10.00", "92233720368547758.06", "92233720368547758.07"]
const blobs = [[], [0], [0, 255], [1], [255]].map((bytes) => Buffer.from(bytes).toString("base64"))
const moods = ["sad", "glad", "happy"] as const

// Texts as `JSON.stringify` writes them. JSON's own null is a value.
const documents = ["{}", '{"a":[1,"é"]}', "[]", '["\\"\\\\"]', '"text"', '""', "0", "-0.5", "1e+300", "true", "null"]
const prose = ["", "tea", "Milk", "tea milk", "blue TEA", "Émile", "日本 x1", "x1 milk MILK", "(tea) - e-mail."]

const same = (text: string): string => text

const json = (type: string): ValueKind => ({
  ...kind(Column.json(Schema.Unknown), type, documents),
  isOrdered: false
})

const text = (type: string, values: ReadonlyArray<Scalar>, compare: Compare, hasPatterns = true): ValueKind => ({
  ...kind(Column.text, type, values, compare),
  hasPatterns
})

/** Every kind of an engine by its name. */
export const kinds: Readonly<Record<Engine, Readonly<Record<string, ValueKind>>>> = {
  SQLite: {
    integer: kind(Column.integer, "INTEGER", exact),
    bigint: kind(Column.bigint, "INTEGER", wide),
    float: kind(Column.float, "REAL", floats),
    boolean: kind(Column.boolean, "INTEGER", [false, true]),
    decimal: kind(Column.decimal(2), "INTEGER", costs, byCents),
    date: kind(Column.date, "TEXT", days),
    time: kind(Column.time, "TEXT", times),
    timestamp: kind(Column.timestamp, "TEXT", moments),
    uuid: kind(Column.uuid, "TEXT", uuids),
    bytes: kind(Column.bytes, "BLOB", blobs, byBytes),
    literal: kind(Column.literal(...moods), "TEXT", moods),
    json: json("TEXT"),
    // Of numeric affinity: SQLite keeps what looks like a number as one.
    jsonNumber: json("JSON"),
    prose: text("TEXT", prose, byText(same)),
    text: text("TEXT", words, byText(same)),
    nocase: text("TEXT COLLATE NOCASE", words, byText(lower)),
    rtrim: text(
      "TEXT COLLATE RTRIM",
      [...words, "a ", "a  "],
      byText((text) => text.replace(/ +$/, ""))
    )
  },
  PostgreSQL: {
    smallint: kind(Column.integer, "SMALLINT", [-32768, -1, 0, 1, 32767]),
    integer: kind(Column.integer, "INTEGER", small),
    long: kind(Column.integer, "BIGINT", exact),
    bigint: kind(Column.bigint, "BIGINT", wide),
    float: kind(Column.float, "DOUBLE PRECISION", [...floats, NaN], byNumber),
    real: kind(Column.float, "REAL", [-Infinity, -0.5, 0, 0.25, 2 ** 60, Infinity, NaN], byNumber),
    boolean: kind(Column.boolean, "BOOLEAN", [false, true]),
    decimal: kind(Column.decimal(2), "NUMERIC(30, 2)", costs, byCents),
    date: kind(Column.date, "DATE", [...days, "infinity", "-infinity"], byTime),
    time: kind(Column.time, "TIME", times),
    timestamp: kind(Column.timestamp, "TIMESTAMPTZ", [...moments, "infinity", "-infinity"], byTime),
    uuid: kind(Column.uuid, "UUID", uuids),
    bytes: kind(Column.bytes, "BYTEA", blobs, byBytes),
    enum: kind(Column.literal(...moods), "mood", moods, byPlace(...moods)),
    json: json("JSON"),
    jsonb: json("JSONB"),
    prose: text('TEXT COLLATE "C"', prose, byText(same)),
    varchar: text("VARCHAR(40)", words, byText(same)),
    text: text('TEXT COLLATE "C"', words, byText(same)),
    english: text('TEXT COLLATE "en-x-icu"', letters, byLanguage),
    // Letters that differ in case alone are equal, also in a key.
    insensitive: text("TEXT COLLATE insensitive", letters, byLetters, false),
    padded: text("CHAR(4)", ["a", "A", "ab", "abcd", "é"], byText(same), false)
  }
}
