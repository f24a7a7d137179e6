// The values of a column: read from a driver, checked when they come from a client, encoded in a cursor.
import { Either, Schema } from "effect"
import type { Column } from "../../Column.ts"
import type { Kind, Kinds, Scalar } from "./ColumnKind.ts"

// Requests share a page.
const frozen = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}

// Past 2^53 `JSON.parse` rounds an integer: another value. Digits in a text are none.
const isExact = (text: string): boolean =>
  !/\d{16}/.test(text) ||
  (text.match(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g) ?? []).every(
    (token) =>
      !/^-?\d{16,}$/.test(token) ||
      BigInt(token) === BigInt(Number(token)) ||
      // PostgreSQL spells 1e300 out: the number that it was, and is again.
      significant(token) === significant(String(Number(token)))
  )

const significant = (number: string): string => number.replace(/e.*$/, "").replace(".", "").replace(/0+$/, "")

/** The value of a JSON text, frozen; `undefined` when the text is not JSON, or has an integer that a number does not hold. */
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

/** The number in units of the last digit: `12.5` is 1250n with two digits; `undefined` for more digits or past 64 bits. */
export const decimalUnits = (text: string, scale: number): bigint | undefined => {
  if (specialDecimals.has(text)) return undefined
  const point = text.indexOf(".")
  const digits = point < 0 ? text : text.slice(0, point) + text.slice(point + 1)
  const fraction = point < 0 ? 0 : text.length - point - 1
  if (fraction > scale) return undefined
  const units = BigInt(digits + "0".repeat(scale - fraction))
  return units >= leastUnits && units <= mostUnits ? units : undefined
}

/**
 * The number as SQLite compares it with units: finer digits lie between two of them, and a number past 64 bits above or
 * below all. `undefined` where no value that SQLite has lies there, and for what is not a number.
 */
export const decimalOperand = (text: string, scale: number): bigint | number | undefined => {
  if (specialDecimals.has(text)) return text === "NaN" ? undefined : Number(text)
  const units = decimalUnits(text, scale)
  if (units !== undefined) return units
  const [whole = "", fraction = ""] = text.split(".")
  const cut = BigInt(`${whole}${fraction.slice(0, scale).padEnd(scale, "0")}`)
  if (cut > mostUnits || cut < leastUnits) return text.startsWith("-") ? -Infinity : Infinity
  if (/^0*$/.test(fraction.slice(scale))) return cut
  const middle = Number(cut) + (text.startsWith("-") ? -0.5 : 0.5)
  return Number.isInteger(middle) ? undefined : middle
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
  json: (raw) => (typeof raw === "string" ? parseJson(raw) : typeof raw === "number" ? raw : undefined)
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
const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

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
const sqliteMoment = new RegExp(String.raw`^${sqliteDay}T${sqliteTime}\.\d{6}Z$`)
// A schema writes milliseconds, unless the program has more.
const sqliteDecoded = new RegExp(String.raw`^${sqliteDay}T${sqliteTime}\.\d{3}(?:\d{3})?Z$`)

// Few days need more than the pattern: the last ones of a month, and those of the year 0.
const isSqliteDay = (text: string): boolean =>
  text < "0001" ? false : text.slice(8, 10) < "29" || isDate(text.slice(0, 10))

/** Whether SQLite compares a text of this kind right: it has the one spelling that all values of a column must have. */
export const isSpelledFor: Readonly<
  Record<"timestamp" | "date" | "time", (text: string, decodes: boolean) => boolean>
> = {
  timestamp: (text, decodes) =>
    (decodes ? sqliteDecoded : sqliteMoment).test(text) ? isSqliteDay(text) : infinite.has(text),
  date: (text) => (sqliteDate.test(text) ? isSqliteDay(text) : infinite.has(text)),
  time: (text) => sqliteClock.test(text)
}

/** A moment or a time of day in that spelling: in UTC and to the microsecond. */
export const spell = (kind: Kind, text: string): string => {
  if (kind === "time") return `${text}${text.includes(".") ? "" : "."}`.padEnd(15, "0")
  if (kind !== "timestamp") return text
  const [, day, time, fraction = "", zone = "Z"] = spelled.exec(text) ?? []
  if (day === undefined) return text
  const offset = zone === "Z" ? zone : `${zone.slice(0, 3)}:${zone.slice(3).replace(":", "") || "00"}`
  const at = new Date(`${day}T${time}${offset}`)
  return Number.isNaN(at.getTime()) ? text : at.toISOString().replace(".000Z", `.${fraction.padEnd(6, "0")}Z`)
}

const spelled = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(Z|[+-]\d\d(?::?\d\d)?)$/

const special: Readonly<Record<string, number>> = { NaN, Infinity, "-Infinity": -Infinity }

const coercions: { readonly [K in Kind]: (value: Scalar) => Kinds[K] | undefined } = {
  // Half of a surrogate pair cannot be sent as UTF-8: it would arrive as another text.
  text: (value) => (typeof value === "string" && !/\p{Surrogate}/u.test(value) ? value : undefined),
  uuid: (value) => (typeof value === "string" && uuidText.test(value) ? value : undefined),
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
