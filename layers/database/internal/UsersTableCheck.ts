// Compares the program's own table of accounts with what the program says about it, at the start and not at the first
// sign-up.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { MigrationFailed } from "../../../src/database/internal/MigrationFailed.ts"
import * as TableColumns from "./TableColumns.ts"
import type { KeyType, UsersTable, VerifiedType } from "./UsersTable.ts"

/** Fails with everything that the table lacks, in one sentence. */
export const run = Effect.fnUntraced(function* (users: UsersTable) {
  if (users.owner === "framework") return
  const sql = yield* SqlClient.SqlClient
  const types = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  const columns = yield* TableColumns.read(users.table)
  const lacks = columns.length === 0 ? ["does not exist"] : problems(users, columns, types)
  if (lacks.length > 0) {
    return yield* new MigrationFailed({ reason: `the table ${users.table} ${lacks.join("; it ")}` })
  }
})

interface Types {
  readonly key: Readonly<Record<KeyType, RegExp>>
  readonly verified: Readonly<Record<VerifiedType, RegExp>>
}

const postgres: Types = {
  key: { text: /^(?:text|citext|varchar|bpchar)$/, uuid: /^uuid$/, integer: /^int[248]$/ },
  verified: { seconds: /^(?:int[48]|numeric|float8)$/, timestamp: /^timestamp/, boolean: /^bool$/ }
}

// The declared types: SQLite stores anything in any column.
const sqlite: Types = {
  key: { text: /text|char|clob|^$/, uuid: /uuid|text|char|^$/, integer: /int/ },
  verified: { seconds: /int|num|^$/, timestamp: /timestamp|date|text|char|^$/, boolean: /bool|int|^$/ }
}

// Each is the rest of a sentence that begins with the table.
const problems = (
  users: UsersTable,
  columns: ReadonlyArray<TableColumns.Column>,
  types: Types
): ReadonlyArray<string> => {
  const { created, identifier, key, secret, verified } = users
  const byName = new Map(columns.map((column) => [column.name, column]))
  const further = Object.keys(users.values({ email: "someone@example.com", now: new Date(0) }))
  const told: ReadonlyArray<readonly [option: string, name: string]> = [
    ["key.column", key.column],
    ["identifier", identifier],
    ["secret", secret],
    ["verified.column", verified.column],
    ...(created === undefined ? [] : [["created.column", created.column] as const]),
    ...further.map((name) => ["values", name] as const),
    ...users.profile.map((name) => ["profile", name] as const)
  ]
  const missing = told
    .filter(([, name]) => !byName.has(name))
    .map(([option, name]) => `has no column ${name} (users.${option})`)
  const filled = new Set([
    identifier,
    secret,
    ...further,
    ...users.profile,
    ...(created === undefined ? [] : [created.column])
  ])
  if (key.generated === "framework") filled.add(key.column)
  const unfilled = columns
    .filter(({ name, required }) => required && !filled.has(name))
    .map(({ name }) =>
      name === key.column
        ? `has no default for ${name}, which the database is to generate (users.key.generated)`
        : `requires a value for ${name}: add it to users.values`
    )
  const wrong = [
    ...mismatch(byName.get(key.column), types.key[key.type], "key.type", key.type),
    ...mismatch(byName.get(verified.column), types.verified[verified.type], "verified.type", verified.type)
  ]
  const unique =
    byName.get(identifier)?.unique === false ? [`has no unique index on ${identifier} alone (users.identifier)`] : []
  return [...missing, ...wrong, ...unique, ...unfilled]
}

const mismatch = (
  column: TableColumns.Column | undefined,
  fits: RegExp,
  option: string,
  said: string
): ReadonlyArray<string> =>
  column === undefined || fits.test(column.type)
    ? []
    : [`has a column ${column.name} of type ${column.type}, not ${said} (users.${option})`]
