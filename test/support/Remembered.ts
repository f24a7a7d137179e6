// Accounts with a remembered browser, and the configurations in which the real program runs.
import { SqlClient } from "@effect/sql"
import { Effect, Redacted } from "effect"
import type { AccountId } from "../../src/session/Identity.ts"
import { Trust } from "../../src/auth/Trust.ts"
import { enroll } from "../layers/auth/Stores.ts"
import { postgres, sqlite, type TestEngine } from "./Databases.ts"
import { eventually } from "./Eventually.ts"

/** The program uses the real clock, so its tests do too. */
export const live = { excludeTestServices: true } as const

/** Name, database and number of processes. */
export const configurations: ReadonlyArray<readonly [string, TestEngine, number]> = [
  ["One process on SQLite", sqlite, 1],
  ["Two processes on SQLite", sqlite, 2],
  ["One process on PostgreSQL", postgres, 1],
  ["Two processes on PostgreSQL", postgres, 2]
]

export interface Remembered {
  readonly id: AccountId
  readonly remember: string
}

/** A user whose browser has only a remember cookie. */
export const remembered = Effect.gen(function* () {
  const { id } = yield* enroll
  const { value } = yield* (yield* Trust).issue(id)
  return { id, remember: Redacted.value(value) } satisfies Remembered
})

/** How many sessions and trusted devices the account has, once no rotation is pending. */
export const left = ({ id }: Remembered) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    eventually(
      sql<{ sessions: number; devices: number; pending: number }>`SELECT
        (SELECT COUNT(*) FROM sessions WHERE user_id = ${id}) AS sessions,
        (SELECT COUNT(*) FROM trusts WHERE user_id = ${id}) AS devices,
        (SELECT COUNT(*) FROM trusts WHERE user_id = ${id} AND next IS NOT NULL) AS pending`,
      ([row]) => row?.pending === 0
    )
  ).pipe(Effect.map(([row]) => ({ sessions: row?.sessions, devices: row?.devices })))
