// Recovery codes in the database, as digests: each is deleted by the sign-in that it completes.
import type { SqlClient } from "@effect/sql"
import { type Context, Effect, Redacted } from "effect"
import { recoveryCodes as amount } from "../../../src/auth/internal/factors/FactorRules.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import * as CodeText from "../../../src/auth/internal/factors/CodeText.ts"
import type { Entropy } from "../../../src/session/internal/Entropy.ts"
import * as AccountRows from "./AccountRows.ts"
import { sha256 } from "../../session/internal/Digest.ts"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"

// The account is part of the digest: a code of another account finds nothing.
const keyOf = (user: AccountId, code: string): string => sha256(`recovery\0${user}\0${code}`)

export const make = (sql: SqlClient.SqlClient, name: string, entropy: Context.Tag.Service<Entropy>) => {
  const table = sql(name)
  const removeAll = (user: AccountId) => Effect.orDie(sql`DELETE FROM ${table} WHERE user_id = ${user}`)
  return {
    count: (user: AccountId) =>
      Effect.map(Effect.orDie(sql`SELECT key FROM ${table} WHERE user_id = ${user}`), (rows) => rows.length),
    removeAll,
    /** New codes in place of the old ones; in a transaction that holds the account. */
    renew: Effect.fnUntraced(function* (user: AccountId) {
      const now = yield* EpochSeconds.seconds
      const codes = Array.from({ length: amount }, () =>
        CodeText.printRecoveryCode(entropy.bytes(CodeText.recoveryBytes))
      )
      yield* removeAll(user)
      const rows = codes.map((code) => ({ key: keyOf(user, code), user_id: user, created_at: now }))
      yield* Effect.orDie(sql`INSERT INTO ${table} ${sql.insert(rows)}`)
      return codes.map((code) => Redacted.make(code))
    }),
    /** Uses a code. One statement: of concurrent uses one succeeds. */
    use: (user: AccountId, code: string) =>
      AccountRows.touched(
        sql`DELETE FROM ${table} WHERE key = ${keyOf(user, code)} AND user_id = ${user} RETURNING key`
      )
  }
}
