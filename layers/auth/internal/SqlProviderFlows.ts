// Used states and codes in the database. Each rule is one statement, so that workers cannot use one twice.
import { SqlClient } from "@effect/sql"
import { Duration, Effect, Layer, Option } from "effect"
import { codeLifetime, flowLifetime, ProviderFlows } from "../../../src/auth/internal/providers/ProviderFlows.ts"
import type * as Tables from "../../database/Tables.ts"
import * as PreparedStatements from "../../database/internal/PreparedStatements.ts"
import { challengeOf, sha256 } from "../../session/internal/Digest.ts"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import * as ExpiredRows from "../../session/internal/ExpiredRows.ts"

const make = Effect.fnUntraced(function* ({ providerFlows: name }: Tables.Tables) {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const table = sql(name)

  const store = PreparedStatements.inserter(
    ["key", "data", "expires"],
    (row) => sql`INSERT INTO ${table} ${sql.insert(row)} ON CONFLICT (key) DO NOTHING RETURNING key`
  )
  const take = PreparedStatements.writer(
    (key: string) => sql<{ data: string; expires: number }>`DELETE FROM ${table} WHERE key = ${key}
      RETURNING data, expires`,
    [""]
  )

  const insert = Effect.fnUntraced(function* (key: string, data: string, lifetime: Duration.Duration) {
    const expires = (yield* EpochSeconds.seconds) + Duration.toSeconds(lifetime)
    return yield* Effect.orDie(store({ key: sha256(key), data, expires }))
  })

  return ProviderFlows.of({
    // A value is refused for as long as the row is there, which is longer than it could be used.
    claim: (value) => Effect.map(insert(`used\0${value}`, "", flowLifetime), ({ length }) => length > 0),
    issue: (code, data, { challenge, lifetime = codeLifetime } = {}) =>
      Effect.asVoid(insert(keyOf(code, challenge), data, lifetime)),
    redeem: Effect.fnUntraced(function* (code, verifier) {
      const now = yield* EpochSeconds.seconds
      const key = keyOf(code, verifier === undefined ? undefined : challengeOf(verifier))
      const rows = yield* Effect.orDie(take(sha256(key)))
      // A client of the program's own returns a `BIGINT` as text.
      return Option.fromNullable(rows.find(({ expires }) => Number(expires) > now)?.data)
    }),
    sweep: ExpiredRows.sweep(sql, name, "key")
  })
})

// A part of the key: without the text of its challenge there is no such code.
const keyOf = (code: string, challenge: string | undefined): string =>
  challenge === undefined ? `code\0${code}` : `code\0${code}\0${challenge}`

/** States and codes in the table that the migrations create. */
export const layer = (tables: Tables.Tables): Layer.Layer<ProviderFlows, never, SqlClient.SqlClient> =>
  Layer.effect(ProviderFlows, make(tables))
