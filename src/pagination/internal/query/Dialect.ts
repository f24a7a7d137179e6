// Where the two databases differ: how a value is read without loss, how a parameter is written, how text is matched.
import type { Column } from "../../Column.ts"
import type { Kind, Scalar } from "../columns/ColumnKind.ts"
import { type Bound, decimalOf, decimalOperand, isSpelledFor, secondDigits, spell } from "../columns/ColumnValue.ts"
import type { Lock, Match } from "./SelectionParts.ts"

/** What the query compiler needs to know about a database. */
export interface Dialect {
  readonly name: "sqlite" | "pg"
  /** The expression that reads a column with its full precision; the column itself where the driver does so. */
  readonly read: (kind: Kind, column: string) => string
  /** The place of the value at `index`. */
  readonly place: (index: number, kind: Kind) => string
  /** Whether a place names its value, so that a value is sent once however often the text needs it. */
  readonly numbered: boolean
  /** A value of a column for the driver. The operand of a filter has a bound, and may be finer than the column. */
  readonly write: (value: Scalar, column: Stored, bound?: Bound) => unknown
  /** A value of a column as it was selected; `undefined` where all are as they should be. */
  readonly receive: (column: Stored) => ((raw: unknown) => unknown) | undefined
  /** Whether a column can hold a value that is right for its kind. */
  readonly holds: (value: Scalar, column: Stored) => boolean
  /** `column` is the text of the column that has this name in this table. */
  readonly match: (match: Match, column: string, place: string, name: Named) => string
  readonly pattern: (match: Match, pattern: string) => string
  readonly lock: (lock: Lock) => string
  /** Whether a row value is an index search in all its columns when an integer key ends it. */
  readonly seeksIntegerKeys: boolean
  /**
   * Whether a union of branches that an index orders is merged row by row until its limit is reached. Where it is not,
   * each branch has a limit of its own.
   */
  readonly mergesBranches: boolean
  /** Whether an index can hold nulls before or after all values; SQLite sorts them below every value. */
  readonly placesNulls: boolean
}

// What decides how a value is stored.
type Stored = Pick<Column, "kind" | "scale">

/** A column of a table, by the names that the program gives them. */
export interface Named {
  readonly table: string
  readonly column: string
}

/** A name from the program as an identifier. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The schema of a table, if the program names one, and its name in it: `crm.people`. Only the first point separates. */
export const tableName = (table: string): { readonly schema: string | null; readonly name: string } => {
  const point = table.indexOf(".")
  return point < 0 ? { schema: null, name: table } : { schema: table.slice(0, point), name: table.slice(point + 1) }
}

/**
 * A table from the program as an identifier, or two.
 *
 * => "people"
 * => "crm"."people"
 */
export const quoteTable = (table: string): string => {
  const { name, schema } = tableName(table)
  return schema === null ? quote(name) : `${quote(schema)}.${quote(name)}`
}

/**
 * The name of an index or a trigger and the table that it is made on. SQLite takes the schema from the one, PostgreSQL from the
 * other.
 *
 * => "crm"."people_name" ON "people"
 * => "people_name" ON "crm"."people"
 */
export const madeOn = (dialect: Pick<Dialect, "name">, made: string, table: string, on = "ON"): string => {
  const { name, schema } = tableName(table)
  return dialect.name === "pg" || schema === null
    ? `${quote(made)} ${on} ${quoteTable(table)}`
    : `${quote(schema)}.${quote(made)} ${on} ${quote(name)}`
}

// LIKE ignores case in SQLite, GLOB does not: `50%_\*` becomes `50*?[*]`.
const glob = (pattern: string): string =>
  pattern.replace(/\\([\s\S])|[%_*?[]/g, (found, escaped?: string) => {
    if (escaped !== undefined) return /[*?[]/.test(escaped) ? `[${escaped}]` : escaped
    if (found === "%") return "*"
    return found === "_" ? "?" : `[${found}]`
  })

const readSqlite: Partial<Record<Kind, (column: string) => string>> = {
  // The driver would round a 64-bit integer to a number. What is no integer becomes a text that no reader accepts.
  bigint: (column) => typed(column, "integer", `CAST(${column} AS TEXT)`),
  decimal: (column) => typed(column, "integer", `CAST(${column} AS TEXT)`),
  bytes: (column) => typed(column, "blob", `hex(${column})`)
}

const typed = (column: string, type: string, text: string): string =>
  `CASE typeof(${column}) WHEN '${type}' THEN ${text} WHEN 'null' THEN NULL ELSE 'x' END`

// Any column of SQLite may hold a value of any type, which compares with no number and no text in one spelling.
const receiveSqlite = ({ kind, scale }: Stored): ((raw: unknown) => unknown) | undefined => {
  switch (kind) {
    case "decimal":
      return (raw) => (typeof raw === "string" ? (raw === "x" ? undefined : decimalOf(raw, scale ?? 0)) : raw)
    case "integer":
    case "float":
      return (raw) => (typeof raw === "string" ? undefined : raw)
    case "timestamp":
    case "date":
    case "time": {
      const isSpelled = isSpelledFor[kind]
      return (raw) => (typeof raw !== "string" || isSpelled(raw, scale ?? secondDigits) ? raw : undefined)
    }
    default:
      return undefined
  }
}

/** The dialect of SQLite. */
export const sqlite: Dialect = {
  name: "sqlite",
  read: (kind, column) => readSqlite[kind]?.(column) ?? column,
  place: () => "?",
  numbered: false,
  write: (value, { kind, scale }, bound) => {
    if (typeof value === "boolean") return Number(value)
    if (kind === "decimal") return decimalOperand(String(value), scale ?? 0, bound)
    if (kind === "bytes") return Buffer.from(String(value), "base64")
    if (typeof value !== "string") return value
    return kind === "uuid" ? value.toLowerCase() : spell(kind, value, scale)
  },
  receive: receiveSqlite,
  holds: (value, { kind, scale = 0 }) => kind !== "decimal" || decimalOperand(String(value), scale) !== undefined,
  match: (match, column, place) =>
    match === "like" ? `${column} GLOB ${place}` : `${column} LIKE ${place} ESCAPE '\\'`,
  pattern: (match, pattern) => (match === "like" ? glob(pattern) : pattern),
  lock: () => "",
  // An INTEGER PRIMARY KEY is the rowid, and a row value that ends in it seeks on its first column only.
  seeksIntegerKeys: false,
  mergesBranches: true,
  placesNulls: false
}

const exactSqlite: Partial<Record<Kind, (column: string) => string>> = {
  text: (column) => `CASE typeof(${column}) WHEN 'text' THEN hex(${column}) ELSE ${column} END`,
  json: (column) =>
    `CASE WHEN typeof(${column}) IN ('text', 'integer') THEN hex(CAST(${column} AS TEXT)) ELSE ${column} END`,
  float: (column) =>
    `CASE WHEN typeof(${column}) = 'integer' AND ${column} <> CAST(${column} AS REAL) THEN 'x' ELSE ${column} END`
}

/**
 * The dialect that reads what the driver of SQLite changes without a word: a text and JSON as the hexadecimal digits of their
 * bytes, of which those that are no text would become U+FFFD, and a float that is a rounded integer as a text.
 */
export const sqliteExact: Dialect = {
  ...sqlite,
  read: (kind, column) => exactSqlite[kind]?.(column) ?? sqlite.read(kind, column)
}

const readPg: Partial<Record<Kind, (column: string) => string>> = {
  // The driver makes objects of a `date` and an `interval`; as texts they keep their full precision.
  text: (column) => `${column}::text`,
  bigint: (column) => `${column}::text`,
  // A `real` is widened, so that it compares equal to what was read of it.
  float: (column) => `${column}::double precision`,
  // The driver would cut microseconds off. `to_char` knows no infinity, the plain text does. Only BC is written.
  timestamp: (column) =>
    `coalesce(rtrim(to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z" BC'), ' AD'), ${column}::text)`,
  // A plain text would follow the `DateStyle` of the connection.
  // Days past the last one of a timestamp are none that it prints: the reader refuses the empty text.
  date: (column) =>
    `CASE WHEN ${column} <= '294276-12-31' OR ${column} = 'infinity' ` +
    `THEN coalesce(rtrim(to_char(${column}, 'YYYY-MM-DD BC'), ' AD'), ${column}::text) ` +
    `WHEN ${column} IS NOT NULL THEN '' END`,
  time: (column) => `to_char(${column}, 'HH24:MI:SS.US')`,
  decimal: (column) => `${column}::text`,
  bytes: (column) => `encode(${column}, 'hex')`,
  json: (column) => `${column}::text`
}

// Without a type the parameter takes the column's, and 3000000000 fails on an `integer` column instead of matching
// no row.
const castPg: Partial<Record<Kind, string>> = {
  integer: "::bigint",
  bigint: "::bigint",
  float: "::double precision",
  date: "::date",
  time: "::time",
  decimal: "::numeric",
  bytes: "::bytea"
}

/** Whether a column has a collation by which different texts are equal. */
type IsNondeterministic = (name: Named) => boolean

// An enum, an address or a number is matched as the text that a list shows; for a text the cast is nothing. By a
// collation that is not deterministic PostgreSQL matches nothing; that of the database is.
const matchPg =
  (isNondeterministic: IsNondeterministic): Dialect["match"] =>
  (match, column, place, name) => {
    const collation = isNondeterministic(name) ? ' COLLATE "default"' : ""
    return `${column}::text${collation} ${match === "like" ? "LIKE" : "ILIKE"} ${place} ESCAPE '\\'`
  }

/** The dialect of PostgreSQL. */
export const pg: Dialect = {
  name: "pg",
  read: (kind, column) => readPg[kind]?.(column) ?? column,
  place: (index, kind) => `$${index + 1}${castPg[kind] ?? ""}`,
  numbered: true,
  write: (value, { kind }) => {
    if (kind === "bytes") return Buffer.from(String(value), "base64")
    // A UUID in a column of a text type is compared as a text.
    return kind === "uuid" ? String(value).toLowerCase() : value
  },
  receive: () => undefined,
  // No text of PostgreSQL holds U+0000.
  holds: (value) => typeof value !== "string" || !value.includes("\0"),
  match: matchPg(() => false),
  pattern: (_match, pattern) => pattern,
  lock: (lock) => ` FOR ${lock.toUpperCase()}`,
  seeksIntegerKeys: true,
  mergesBranches: false,
  placesNulls: true
}

/** The dialect of a database in which these columns have collations that are not deterministic. */
export const pgWith = (isNondeterministic: IsNondeterministic): Dialect => ({
  ...pg,
  match: matchPg(isNondeterministic)
})
