// Compares the table of profiles with the profile, at the start and not at the first sign-up.
import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { ProfileMismatch } from "../../../src/auth/Profile.ts"
import type { Definition } from "../../../src/auth/internal/profile/ProfileDefinition.ts"
import * as TableColumns from "../../database/internal/TableColumns.ts"

/** Fails with everything that the table lacks. `key` is the column with the account's id, in a table of its own. */
export const run = (
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
