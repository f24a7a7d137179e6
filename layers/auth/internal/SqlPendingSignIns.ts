// Pending sign-ins in the database. Every rule about them is one statement, so that workers cannot count apart.
import type { SqlClient, Statement } from "@effect/sql"
import { Duration, Effect, Layer, Option, type Redacted } from "effect"
import { maxTries, pendingLifetime } from "../../../src/auth/internal/factors/FactorRules.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import { type PendingOptions, type PendingSignIn, PendingSignIns } from "../../../src/auth/internal/PendingSignIns.ts"
import type { Token } from "../../../src/auth/Tokens.ts"
import * as Tracing from "../../../src/observability/internal/Tracing.ts"
import type * as Tables from "../../database/Tables.ts"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import * as Revocations from "../../session/internal/Revocations.ts"
import * as AccountRows from "./AccountRows.ts"
import * as TokenRows from "./TokenRows.ts"

interface Row {
  readonly user: AccountId
  readonly remember: number
  readonly tries: number
  readonly as_of: number
  readonly expires: number
}

const make = Effect.fnUntraced(function* ({
  factorSettings,
  pendingSignIns: name,
  revocations: revoked
}: Tables.Tables) {
  const rows = yield* TokenRows.make(name)
  const { sql, table } = rows
  const revocations = yield* Revocations.make(revoked)
  const columns = sql`user_id AS ${sql("user")}, remember, tries, as_of, expires`

  const seenBy = ({ seenRevocation }: PendingOptions["request"]) =>
    seenRevocation === undefined ? revocations.latest : Effect.succeed(seenRevocation)

  const insert = Effect.fnUntraced(function* (user: AccountId, remember: boolean, asOf: number) {
    const now = yield* EpochSeconds.seconds
    const { token, ...halves } = rows.mint(user)
    const row = {
      ...halves,
      user_id: user,
      remember: Number(remember),
      tries: 0,
      as_of: asOf,
      expires: now + Duration.toSeconds(pendingLifetime),
      created_at: now
    }
    yield* Effect.orDie(sql`INSERT INTO ${table} ${sql.insert(row)}`)
    return token
  })

  const begin = (user: AccountId, { remember, request }: PendingOptions) =>
    Effect.flatMap(seenBy(request), (asOf) => insert(user, remember, asOf))

  // The row of this choice goes with the last factor.
  const resume = Effect.fnUntraced(function* (user: AccountId, asOf: number) {
    const asked = yield* Effect.orDie(
      sql`SELECT user_id FROM ${sql(factorSettings)} WHERE user_id = ${user} AND every_device = 1`
    )
    return asked.length === 0 ? Option.none<Token>() : Option.some(yield* insert(user, true, asOf))
  })

  const one = (statement: Statement.Statement<Row>) => Effect.map(AccountRows.first(statement), Option.map(toPending))

  const find = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
    const now = yield* EpochSeconds.seconds
    return yield* one(
      sql<Row>`SELECT ${columns} FROM ${table} WHERE ${rows.isLive(secret, now)} AND tries < ${maxTries}`
    )
  })

  const spend = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
    const now = yield* EpochSeconds.seconds
    return yield* one(sql<Row>`UPDATE ${table} SET tries = tries + 1
      WHERE ${rows.isLive(secret, now)} AND tries < ${maxTries} RETURNING ${columns}`)
  })

  const complete = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
    const now = yield* EpochSeconds.seconds
    const ended = yield* one(sql<Row>`DELETE FROM ${table} WHERE ${rows.isLive(secret, now)} RETURNING ${columns}`)
    if (Option.isNone(ended)) return ended
    // A revocation takes its number before it deletes the rows: this one may have been faster than the deletion.
    const { asOf, user } = ended.value
    return (yield* revocations.numberOf(user)) > asOf ? Option.none() : ended
  })

  const service = PendingSignIns.of({
    begin,
    resume,
    find,
    spend,
    complete,
    revoke: (user) => rows.remove(user),
    sweep: rows.sweep()
  })
  return yield* Tracing.methods("PendingSignIns", service)
})

/** Pending sign-ins in the table that the migrations create. */
export const layer = (tables: Tables.Tables): Layer.Layer<PendingSignIns, never, SqlClient.SqlClient> =>
  Layer.effect(PendingSignIns, make(tables))

// A client of the program's own returns a `BIGINT` as text.
const toPending = ({ as_of, expires, remember, tries, user }: Row): PendingSignIn => ({
  user,
  remember: Number(remember) === 1,
  triesLeft: maxTries - Number(tries),
  expires: Number(expires),
  asOf: Number(as_of)
})
