// The values of a column: read from a driver, checked when they come from a client, encoded in a cursor.
import { Either, Schema } from "effect"
import type { Column } from "../../Column.ts"
import type { Kind, Kinds, Scalar } from "./ColumnKind.ts"

// Requests share a page.
const frozen = (value: unknown): unknown => {
  // `JSON.parse` reads 1e400 as one, which would be printed as null.
  if (value === Infinity || value === -Infinity) throw new SyntaxError("a number past those that JSON prints")
  if (typeof value !== "object" || value === null) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}

// A choice for each character of a text, as in `(?:[^"\\]|\\.)*`, ends the stack of a regular expression at 8 million of them.
const unescaped = (text: string): string => text.replaceAll("\\\\", "").replaceAll('\\"', "")

// Past 2^53 `JSON.parse` rounds an integer: another value. Digits in a text are none.
const isExact = (text: string): boolean =>
  !/\d{16}/.test(text) ||
  (unescaped(text).match(/"[^"]*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g) ?? []).every(
    (token) =>
      !/^-?\d{16,}$/.test(token) ||
      BigInt(token) === BigInt(Number(token)) ||
      // PostgreSQL spells 1e300 out: the number that it was, and is again.
      significant(token) === significant(String(Number(token)))
  )

const significant = (number: string): string => number.replace(/e.*$/, "").replace(".", "").replace(/0+$/, "")

/** The value of a JSON text, frozen; `undefined` when the text is not JSON, or has a number that JavaScript does not hold. */
export const parseJson = (text: string): unknown => {
  try {
    return isExact(text) ? frozen(JSON.parse(text)) : undefined
  } catch {
    return undefined
  }
}

// Long before PostgreSQL's own limit, and short enough for a cursor.
const plainDecimal = /^-?\d{1,100}(?:\.\d{1,100})?$/

// PostgreSQL's numbers that are none.
const specialDecimals = new Set(["NaN", "Infinity", "-Infinity"])

/** Whether a text is a decimal number. */
export const isDecimal = (text: string): boolean => plainDecimal.test(text) || specialDecimals.has(text)

const leastUnits = -(2n ** 63n)
const mostUnits = 2n ** 63n - 1n

/**
 * Which value of a column stands for an operand that lies between two of them: the one below, for `greater` and
 * `lessOrEqual`, the one above, for `less` and `greaterOrEqual`, or none, for `equal`.
 */
export type Bound = "below" | "above" | "none"

const inUnits = (units: bigint): bigint | number =>
  units > mostUnits ? Infinity : units < leastUnits ? -Infinity : units

/**
 * The number as SQLite compares it with units of the last digit, of which `12.5` has 1250 with two digits: finer digits lie
 * between two of them, a number past 64 bits above or below all, and NaN above all, where PostgreSQL has it. `undefined` for
 * what has no place without a bound: no value of SQLite lies between two units past 2^52.
 */
export const decimalOperand = (text: string, scale: number, bound?: Bound): bigint | number | undefined => {
  if (text === "NaN") return bound === undefined ? undefined : Infinity
  if (specialDecimals.has(text)) return Number(text)
  const [whole = "", fraction = ""] = text.split(".")
  const cut = BigInt(`${whole}${fraction.slice(0, scale).padEnd(scale, "0")}`)
  if (/^0*$/.test(fraction.slice(scale))) return inUnits(cut)
  const below = text.startsWith("-") ? cut - 1n : cut
  const edge = inUnits(bound === "above" ? below + 1n : below)
  if (bound === "above" || bound === "below" || typeof edge === "number") return edge
  const middle = Number(below) + 0.5
  if (!Number.isInteger(middle)) return middle
  return bound === undefined ? undefined : 0.5
}

/** The number of these units: `1250` is `12.50` with two digits. */
export const decimalOf = (units: string, scale: number): string => {
  const sign = units.startsWith("-") ? "-" : ""
  const digits = units.slice(sign.length).padStart(scale + 1, "0")
  const whole = digits.length - scale
  return scale === 0 ? units : `${sign}${digits.slice(0, whole)}.${digits.slice(whole)}`
}

/** Whether a value is one that a column can hold. */
export const isScalar = (value: unknown): value is Scalar =>
  typeof value === "string" || typeof value === "number" || typeof value === "bigint" || typeof value === "boolean"

const digits = /^-?\d{1,19}$/

const exact = (raw: unknown): number | undefined => {
  if (typeof raw === "number") return raw
  return typeof raw === "bigint" || (typeof raw === "string" && digits.test(raw)) ? Number(raw) : undefined
}

const ofText = (raw: unknown): string | undefined => (typeof raw === "string" ? raw : undefined)

// What a driver returns, where the dialect has not refused it. Each value that is read here is one that `coerce` accepts.
const readers: { readonly [K in Kind]: (raw: unknown) => Kinds[K] | undefined } = {
  text: ofText,
  // In small letters, as PostgreSQL writes them: two spellings would be two texts.
  uuid: (raw) => (typeof raw === "string" && uuidText.test(raw) ? raw : undefined),
  timestamp: ofText,
  integer: (raw) => {
    const value = exact(raw)
    return Number.isSafeInteger(value) ? value : undefined
  },
  bigint: (raw) =>
    typeof raw === "bigint" || (typeof raw === "string" && digits.test(raw)) ? inInt64(BigInt(raw)) : undefined,
  float: (raw) => (typeof raw === "number" ? raw : typeof raw === "bigint" ? Number(raw) : undefined),
  boolean: (raw) => (typeof raw === "boolean" ? raw : raw === 1 ? true : raw === 0 ? false : undefined),
  date: (raw) => (raw === "" ? undefined : ofText(raw)),
  time: ofText,
  decimal: (raw) => (typeof raw === "string" && isDecimal(raw) ? raw : undefined),
  // Drivers hand bytes over in different ways, so they are selected as hexadecimal digits, two for each.
  bytes: (raw) =>
    typeof raw === "string" && raw.length % 2 === 0 ? Buffer.from(raw, "hex").toString("base64") : undefined,
  json: (raw) => (typeof raw === "string" ? parseJson(raw) : Number.isFinite(raw) ? raw : undefined)
}

/**
 * Reads a value from the driver; `undefined` when the column cannot hold it. Only a `json` column holds what is no scalar. Made
 * once for a column: a page has many values.
 */
export const reader = ({ kind, nullable }: Pick<Column, "kind" | "nullable">): ((raw: unknown) => unknown) => {
  const read = readers[kind]
  const none = nullable ? null : undefined
  return (raw) => (raw === null ? none : read(raw))
}

const inInt64 = (value: bigint): bigint | undefined => (value >= leastUnits && value <= mostUnits ? value : undefined)

// PostgreSQL's years go beyond four digits, and before Christ.
const moment =
  /^(\d{4,7})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.\d{1,6})?(?:Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)( BC)?$/
const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const infinite = new Set(["infinity", "-infinity"])

// The 30th of February has the right shape, and PostgreSQL fails on it.
const isDay = (year: number, month: number, day: number, isBeforeChrist: boolean): boolean => {
  if (year < 1 || month < 1 || month > 12) return false
  // The year before the first one is a leap year.
  const leap = isBeforeChrist ? 400 - ((year - 1) % 400) : year % 400
  return day >= 1 && day <= new Date(Date.UTC(2000 + leap, month, 0)).getUTCDate()
}

const isMoment = (value: string): boolean => {
  const parts = moment.exec(value)
  if (parts === null) return infinite.has(value)
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number)
  return hour <= 23 && minute <= 59 && second <= 59 && isDay(year, month, day, parts[7] !== undefined)
}

const isDate = (value: string): boolean => {
  const parts = /^(\d{4,7})-(\d\d)-(\d\d)( BC)?$/.exec(value)
  if (parts === null) return infinite.has(value)
  const [year = 0, month = 0, day = 0] = parts.slice(1, 4).map(Number)
  return isDay(year, month, day, parts[4] !== undefined)
}

const clock = /^(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?|24:00:00(?:\.0{1,6})?)$/

const sqliteDay = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`
const sqliteTime = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d`
const sqliteDate = new RegExp(`^${sqliteDay}$`)
const sqliteClock = new RegExp(String.raw`^(?:${sqliteTime}\.\d{6}|24:00:00\.000000)$`)
// By the digits of the second after the point.
const sqliteMoments = Array.from(
  { length: 7 },
  (_, digits) => new RegExp(`^${sqliteDay}T${sqliteTime}${digits === 0 ? "" : `\\.\\d{${digits}}`}Z$`)
)

/** The digits of a second after the point, unless the schema of a column writes fewer. */
export const secondDigits = 6

// Few days need more than the pattern: the last ones of a month, and those of the year 0.
const isSqliteDay = (text: string): boolean =>
  text < "0001" ? false : text.slice(8, 10) < "29" || isDate(text.slice(0, 10))

/** Whether SQLite compares a text of this kind right: it has the one spelling that all values of a column must have. */
export const isSpelledFor: Readonly<Record<"timestamp" | "date" | "time", (text: string, digits: number) => boolean>> =
  {
    timestamp: (text, digits) => (sqliteMoments[digits]?.test(text) === true ? isSqliteDay(text) : infinite.has(text)),
    date: (text) => (sqliteDate.test(text) ? isSqliteDay(text) : infinite.has(text)),
    time: (text) => sqliteClock.test(text)
  }

/** A day, a moment or a time of day in that spelling: in UTC, with so many digits of the second. */
export const spell = (kind: Kind, text: string, digits = secondDigits): string => {
  if (kind === "time") return `${text}${text.includes(".") ? "" : "."}`.padEnd(15, "0")
  if (kind !== "timestamp" && kind !== "date") return text
  const [, day, time, fraction = "", zone = "Z"] = spelled.exec(text) ?? []
  if (day === undefined) return beyond(text)
  const offset = zone === "Z" ? zone : `${zone.slice(0, 3)}:${zone.slice(3).replace(":", "") || "00"}`
  const at = new Date(`${day}T${time}${offset}`)
  return Number.isNaN(at.getTime())
    ? text
    : beyond(at.toISOString().replace(".000Z", second(fraction.padEnd(secondDigits, "0"), digits)))
}

// => .123Z
// => .123Z456
// Digits that no text of the column has follow the Z: later than the moment without them, and earlier than the next one.
const second = (fraction: string, digits: number): string =>
  `${digits === 0 ? "" : "."}${fraction.slice(0, digits)}Z${fraction.slice(digits).replace(/0+$/, "")}`

// The texts of SQLite have years of four digits: a moment before or after all of them is a text below or above all.
const beyond = (text: string): string =>
  text.endsWith(" BC") ? `/${text}` : /^\+?\d{5}/.test(text) ? `:${text}` : text

const spelled = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(Z|[+-]\d\d(?::?\d\d)?)$/

const special: Readonly<Record<string, number>> = { NaN, Infinity, "-Infinity": -Infinity }

const coercions: { readonly [K in Kind]: (value: Scalar) => Kinds[K] | undefined } = {
  // Half of a surrogate pair cannot be sent as UTF-8: it would arrive as another text.
  text: (value) => (typeof value === "string" && !/\p{Surrogate}/u.test(value) ? value : undefined),
  uuid: (value) => {
    const small = typeof value === "string" ? value.toLowerCase() : ""
    return uuidText.test(small) ? small : undefined
  },
  timestamp: (value) => (typeof value === "string" && isMoment(value) ? value : undefined),
  integer: (value) => {
    const integer = typeof value === "bigint" ? Number(value) : value
    return typeof integer === "number" && Number.isSafeInteger(integer) ? integer : undefined
  },
  bigint: (value) => {
    if (typeof value === "number" ? !Number.isSafeInteger(value) : typeof value !== "bigint") return undefined
    return inInt64(BigInt(value))
  },
  float: (value) => {
    if (typeof value === "number" || typeof value === "bigint") return Number(value)
    return typeof value === "string" && Object.hasOwn(special, value) ? special[value] : undefined
  },
  boolean: (value) => (typeof value === "boolean" ? value : undefined),
  date: (value) => (typeof value === "string" && isDate(value) ? value : undefined),
  time: (value) => (typeof value === "string" && clock.test(value) ? value : undefined),
  decimal: (value) => (typeof value === "string" && isDecimal(value) ? value : undefined),
  bytes: (value) => (typeof value === "string" && isBase64(value) ? value : undefined),
  json: () => undefined
}

// Node ignores what is no base64: only the spelling that it would write itself is accepted.
const isBase64 = (value: string): boolean => Buffer.from(value, "base64").toString("base64") === value

/** A client's value as the column would hold it; `undefined` when it cannot, so that no query is run. */
export const coerce = ({ kind }: Pick<Column, "kind">, value: Scalar): Scalar | undefined => {
  const coerced = coercions[kind](value)
  return isScalar(coerced) ? coerced : undefined
}

/** An operand of the column's type as the database holds it; `undefined` when the schema refuses it. */
export const encode = ({ decodes, kind, schema }: Column, operand: unknown): unknown => {
  if (!decodes) return operand
  const encoded = Either.getOrUndefined(Schema.encodeUnknownEither(Schema.make(schema.ast))(operand))
  return kind === "bigint" && typeof encoded === "string" ? BigInt(encoded) : encoded
}

const placeholders = {
  text: "",
  uuid: "00000000-0000-0000-0000-000000000000",
  timestamp: "2000-01-01T00:00:00.000000Z",
  integer: 0,
  bigint: 0n,
  float: 0,
  boolean: false,
  date: "2000-01-01",
  time: "00:00:00.000000",
  decimal: "0",
  bytes: "",
  json: ""
} as const

/** A value of this kind, for a statement that is compiled before its values are known. */
export const placeholder = (kind: Kind): Scalar => placeholders[kind]

/** A value as a cursor carries it: JSON has no infinities and no NaN. */
export const toCursor = (value: unknown): unknown =>
  typeof value === "number" && !Number.isFinite(value) ? String(value) : value
