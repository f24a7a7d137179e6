// Profiles in a table of the program's own, or in further columns of its table of accounts.
import { SqlClient, type SqlError } from "@effect/sql"
import { Effect, Layer, Option } from "effect"
import type { AccountId } from "../../src/session/Identity.ts"
import { type Profile, ProfileMismatch, Profiles, ProfileTaken } from "../../src/auth/Profile.ts"
import type { Definition } from "../../src/auth/internal/profile/ProfileDefinition.ts"
import * as ProfileRow from "../../src/auth/internal/profile/ProfileRow.ts"
import * as UniqueViolation from "../../src/database/internal/UniqueViolation.ts"
import * as Tables from "../database/Tables.ts"
import * as UserColumns from "../session/internal/UserColumns.ts"
import * as TableColumns from "../database/internal/TableColumns.ts"

/** Where the fields of accounts are stored. */
export interface Options {
  /** The table of profiles, with one row for each account. Without it, the fields are columns of the accounts' table. */
  readonly table?: string
  /** Its column with the account's id, of the same type and unique: `user_id`. */
  readonly key?: string
  /** The framework's tables, as `AppLayer.layer` has them. */
  readonly tables?: Tables.Tables
}

/** Stores the program's profile with each account, in the same transaction. The table must exist before the layer is built. */
export const layer = <A, S>(
  { definition }: Profile<A, S>,
  { key = "user_id", table, tables = Tables.defaults }: Options = {}
): Layer.Layer<Profiles, ProfileMismatch, SqlClient.SqlClient> =>
  Layer.effect(
    Profiles,
    Effect.gen(function* () {
      const sql = (yield* SqlClient.SqlClient).withoutTransforms()
      yield* checkTable(definition, table ?? tables.users.table, table === undefined ? undefined : key)
      return Profiles.of(
        table === undefined ? columnsOf(sql, definition, tables) : tableOf(sql, definition, tables, table, key)
      )
    })
  )

const columnsOf = (sql: SqlClient.SqlClient, definition: Definition, tables: Tables.Tables) => {
  const { users } = tables
  const { hasId, isKey } = UserColumns.make(sql, users)
  const update = (user: AccountId, row: ProfileRow.Row) =>
    sql`UPDATE ${sql(users.table)} SET ${sql.update(toParameters(definition, row))} WHERE ${hasId(user)}
      RETURNING ${sql(users.key.column)}`
  return {
    definition,
    enrollment: (row: ProfileRow.Row) => ({ columns: toParameters(definition, row), refused: takenBy(definition) }),
    read: reading(sql, definition, tables, users.table, users.key.column),
    write: (user: AccountId, row: ProfileRow.Row) =>
      isKey(user) ? touched(definition, update(user, row)) : Effect.succeed(false),
    // The columns go with their row.
    remove: () => Effect.void
  }
}

const tableOf = (
  sql: SqlClient.SqlClient,
  definition: Definition,
  tables: Tables.Tables,
  table: string,
  key: string
) => {
  const { users } = tables
  const { asKey, hasId, isKey } = UserColumns.make(sql, users)
  const names = definition.columns.map(({ name }) => sql`${sql(name)}`)
  // The id comes from the table of accounts, with its type: there is no profile without an account. SQLite may give a new
  // account the id of a deleted one, whose profile is then replaced.
  const upsert = (user: AccountId, row: ProfileRow.Row) => {
    const values = Object.values(toParameters(definition, row)).map((value) => sql`${value}`)
    return sql`INSERT INTO ${sql(table)} (${sql.csv([sql`${sql(key)}`, ...names])})
      SELECT ${sql(users.key.column)}, ${sql.csv(values)} FROM ${sql(users.table)} WHERE ${hasId(user)}
      ON CONFLICT (${sql(key)}) DO UPDATE SET ${sql.csv(names.map((name) => sql`${name} = excluded.${name}`))}
      RETURNING ${sql(key)}`
  }
  return {
    definition,
    enrollment: (row: ProfileRow.Row) => ({
      within: (user: AccountId) => Effect.asVoid(touched(definition, upsert(user, row)))
    }),
    read: reading(sql, definition, tables, table, key),
    write: (user: AccountId, row: ProfileRow.Row) =>
      isKey(user) ? touched(definition, upsert(user, row)) : Effect.succeed(false),
    remove: (user: AccountId) =>
      isKey(user)
        ? Effect.asVoid(Effect.orDie(sql`DELETE FROM ${sql(table)} WHERE ${sql(key)} = ${asKey(sql`${user}`)}`))
        : Effect.void
  }
}

// Every column has a value, so that one that is absent becomes `NULL`.
const toParameters = ({ columns }: Definition, row: ProfileRow.Row) =>
  Object.fromEntries(columns.map(({ name }) => [name, UserColumns.toParameter(row[name] ?? null)] as const))

const reading = (
  sql: SqlClient.SqlClient,
  { columns }: Definition,
  { users }: Tables.Tables,
  table: string,
  key: string
) => {
  const { asKey, isKey } = UserColumns.make(sql, users)
  const names = sql.csv(columns.map(({ name }) => sql`${sql(name)}`))
  const select = (user: AccountId) => sql<Readonly<Record<string, unknown>>>`
    SELECT ${names} FROM ${sql(table)} WHERE ${sql(key)} = ${asKey(sql`${user}`)}`
  return (user: AccountId): Effect.Effect<Option.Option<ProfileRow.Row>> =>
    isKey(user)
      ? Effect.map(Effect.orDie(select(user)), ([row]) =>
          Option.map(Option.fromNullable(row), (values) => ProfileRow.fromDriver(columns, values))
        )
      : Effect.succeedNone
}

// The fields that another account has. Any other error is a mistake or a broken machine.
const takenBy = ({ columns }: Definition) => {
  const names = columns.map(({ name }) => name)
  return (error: unknown) =>
    Option.map(UniqueViolation.columnsOf(error, names), (taken) => new ProfileTaken({ names: taken }))
}

const touched = (
  definition: Definition,
  statement: Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>
): Effect.Effect<boolean, ProfileTaken> =>
  statement.pipe(
    Effect.map((rows) => rows.length > 0),
    Effect.catchAll((error) =>
      Option.match(takenBy(definition)(error), {
        onNone: () => Effect.die(error),
        onSome: (taken) => Effect.fail(taken)
      })
    )
  )

// At the start, not at the first sign-up. `key` is the column with the account's id, in a table of its own.
const checkTable = (
  { columns: fields }: Definition,
  table: string,
  key: string | undefined
): Effect.Effect<void, ProfileMismatch, SqlClient.SqlClient> =>
  Effect.flatMap(Effect.orDie(TableColumns.read(table)), (columns) => {
    const names = [...(key === undefined ? [] : [key]), ...fields.map(({ name }) => name)]
    const problems = columns.length === 0 ? ["does not exist"] : problemsOf(names, key, columns)
    return problems.length === 0 ? Effect.void : new ProfileMismatch({ table, problems })
  })

const problemsOf = (
  names: ReadonlyArray<string>,
  key: string | undefined,
  columns: ReadonlyArray<TableColumns.Column>
): ReadonlyArray<string> => {
  const known = new Set(columns.map(({ name }) => name))
  const missing = names.filter((name) => !known.has(name)).map((name) => `has no column ${name}`)
  if (key === undefined) return missing
  const ambiguous = columns
    .filter(({ name, unique }) => name === key && !unique)
    .map(({ name }) => `has no unique index on ${name} alone`)
  const unfilled = columns
    .filter(({ name, required }) => required && !names.includes(name))
    .map(({ name }) => `requires a value for ${name}, which is no field of the profile`)
  return [...missing, ...ambiguous, ...unfilled]
}
