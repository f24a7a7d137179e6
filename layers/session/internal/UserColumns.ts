// The columns of the accounts' table in SQL. An id is a text in the program and in every other table; in this one it may
// be a `uuid` or an integer. A cast is always on the value's side, so that the index on the key is used.
import type { SqlClient, Statement } from "@effect/sql"
import * as StorableText from "../../../src/session/internal/StorableText.ts"
import type { KeyType, UsersTable, Value } from "../../database/internal/UsersTable.ts"

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

const maxBigint = 2n ** 63n - 1n

// Both databases would fail on a text that is no id of this type, instead of finding nothing.
const keys: Readonly<Record<KeyType, (id: string) => boolean>> = {
  text: StorableText.isText,
  uuid: (id) => uuid.test(id),
  integer: (id) => /^(?:0|-?[1-9]\d{0,18})$/.test(id) && BigInt(id) <= maxBigint
}

// For the text of a statement that is prepared.
const nobody: Readonly<Record<KeyType, string>> = {
  text: "",
  uuid: "00000000-0000-0000-0000-000000000000",
  integer: "0"
}

/** A new value for a column, as both drivers take it. */
export const toParameter = (value: Value): string | number | null => {
  if (value instanceof Date) return value.toISOString()
  // SQLite has no booleans, and PostgreSQL reads `1` as one.
  return typeof value === "boolean" ? Number(value) : value
}

export const make = (sql: SqlClient.SqlClient, users: UsersTable) => {
  const { key, verified } = users
  const column = sql(key.column)
  const dialect = sql.onDialectOrElse({ pg: () => "pg" as const, orElse: () => "other" as const })

  /** A value, a parameter or a column of another table, with the type of the key. */
  const asKey = (value: Statement.Fragment): Statement.Fragment => {
    if (key.type === "integer") return sql`CAST(${value} AS BIGINT)`
    return key.type === "uuid" && dialect === "pg" ? sql`CAST(${value} AS UUID)` : value
  }

  const instants = {
    seconds: (millis: number) => sql`${Math.floor(millis / 1000)}`,
    // The column decides whether the offset counts; without a time zone it stores UTC.
    timestamp: (millis: number) => sql`${new Date(millis).toISOString()}`,
    boolean: () => sql`TRUE`
  }

  return {
    /** Whether the text can be an id of this table. */
    isKey: keys[key.type],
    /** An id of this type that nobody has. */
    nobody: nobody[key.type],
    /** The id as text. */
    id: key.type === "text" ? column : sql`CAST(${column} AS TEXT)`,
    /** The condition on the row of this id. */
    hasId: (id: string) => sql`${column} = ${asKey(sql`${id}`)}`,
    asKey,
    /** `NULL` until the address is confirmed; `table` qualifies the column. */
    verified: (table = "") => {
      const qualified = sql(`${table}${verified.column}`)
      if (verified.type === "seconds") return qualified
      return verified.type === "boolean"
        ? sql`CASE WHEN ${qualified} THEN 1 END`
        : sql`CASE WHEN ${qualified} IS NOT NULL THEN 1 END`
    },
    /** The assignment that confirms the address; a time that is set stays. */
    confirm: (millis: number) => {
      const set = sql(verified.column)
      const now = instants[verified.type](millis)
      return verified.type === "boolean" ? sql`${set} = ${now}` : sql`${set} = COALESCE(${set}, ${now})`
    }
  }
}
