// The challenges of passkeys in the database: each is redeemed once, by the session that asked for it.
import { SqlClient } from "@effect/sql"
import { Duration, Effect } from "effect"
import { challengeBytes, challengeTtl, type Purpose } from "../../../src/auth/internal/passkeys/PasskeyRules.ts"
import { Entropy } from "../../../src/session/internal/Entropy.ts"
import type { Visit } from "../../../src/auth/Passkeys.ts"
import * as PreparedStatements from "../../database/internal/PreparedStatements.ts"
import { sha256 } from "../../session/internal/Digest.ts"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import * as ExpiredRows from "../../session/internal/ExpiredRows.ts"

/** Which visit a challenge belongs to, and what it is for; `user` is empty for a sign-in. */
export interface Scope {
  readonly visit: Visit
  readonly purpose: Purpose
  readonly user: string
}

// The secret behind the form tokens: only this browser has it, and a sign-in or sign-out replaces it.
const visitOf = ({ visit }: Scope) =>
  Effect.map(visit.secret, (secret) => sha256(`passkey\0${Buffer.from(secret).toString("base64url")}`))

export const make = Effect.fnUntraced(function* (name: string) {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const entropy = yield* Entropy
  const table = sql(name)
  const insert = PreparedStatements.inserter(
    ["key", "visit", "purpose", "user_id", "expires"],
    (row) => sql`INSERT INTO ${table} ${sql.insert(row)}`
  )
  const take = PreparedStatements.writer(
    (key: string, visit: string, purpose: string, user: string) => sql<{ expires: number }>`DELETE FROM ${table}
      WHERE key = ${key} AND visit = ${visit} AND purpose = ${purpose} AND user_id = ${user} RETURNING expires`,
    ["", "", "", ""]
  )
  return {
    /** A new challenge. The store keeps its digest only. */
    issue: Effect.fnUntraced(function* (scope: Scope) {
      const challenge = Buffer.from(entropy.bytes(challengeBytes)).toString("base64url")
      const row = {
        key: sha256(challenge),
        visit: yield* visitOf(scope),
        purpose: scope.purpose,
        user_id: scope.user,
        expires: (yield* EpochSeconds.seconds) + Duration.toSeconds(challengeTtl)
      }
      yield* Effect.orDie(insert(row))
      return challenge
    }),
    /** Whether this is a live challenge of the scope. One statement: of concurrent calls, one deletes the row. */
    redeem: Effect.fnUntraced(function* (challenge: string, scope: Scope) {
      const visit = yield* visitOf(scope)
      const now = yield* EpochSeconds.seconds
      const rows = yield* Effect.orDie(take(sha256(challenge), visit, scope.purpose, scope.user))
      // A client of the program's own returns a `BIGINT` as text.
      return rows.some(({ expires }) => Number(expires) > now)
    }),
    sweep: ExpiredRows.sweep(sql, name, "key")
  }
})
