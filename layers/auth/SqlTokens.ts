// Action tokens in the database.
import type { SqlClient } from "@effect/sql"
import { type Duration, Effect, Layer, Option, type Redacted } from "effect"
import { AccountId } from "../../src/session/Identity.ts"
import { type Owner, type Purpose, Tokens } from "../../src/auth/Tokens.ts"
import { tokenLifetime, type Row, tokenState } from "../../src/auth/internal/Expiry.ts"
import * as Tracing from "../../src/observability/internal/Tracing.ts"
import * as EpochSeconds from "../../src/session/internal/EpochSeconds.ts"
import * as AccountRows from "./internal/AccountRows.ts"
import * as TokenRows from "./internal/TokenRows.ts"
import * as Tables from "../database/Tables.ts"

/** The tables, when they are not those that the migrations create without options. */
export interface Options {
  readonly tables?: Tables.Tables
}

interface Owned extends Row, Owner {}

// Compared against when the token is unknown or malformed, so that timing does not reveal it.
const unknownToken: Owned = {
  user: AccountId.make(""),
  since: 0,
  verifier: "0".repeat(64),
  purpose: "",
  expires: Number.MAX_SAFE_INTEGER
}

// The table allows one row for each user and purpose. A link to report a change works as long as it says, whatever is mailed
// after it: its selector makes its purpose unlike any other.
const storedPurpose = (purpose: Purpose, selector: string): string =>
  purpose === "not_me" ? `${purpose}:${selector}` : purpose

const make = Effect.fnUntraced(function* (name: string) {
  const rows = yield* TokenRows.make(name)
  const { sql, table } = rows
  const columns = sql`verifier, purpose, expires, user_id AS ${sql("user")}, created_at AS since`
  // The first form too: an older version that serves beside this one stores it.
  const isFor = (purpose: Purpose) => sql`purpose IN (${purpose}, ${`${purpose}:`} || selector)`

  const mint = Effect.fnUntraced(function* (
    user: AccountId,
    purpose: Purpose,
    ttl: Duration.DurationInput = tokenLifetime,
    since?: number
  ) {
    const seconds = yield* TokenRows.validateGrant(user, ttl)
    const now = yield* EpochSeconds.seconds
    const { token, ...halves } = rows.mint(user)
    const row = {
      ...halves,
      user_id: user,
      purpose: storedPurpose(purpose, halves.selector),
      expires: now + seconds,
      created_at: since ?? now
    }
    // One row per user and stored purpose: the new token replaces the old one, also when two are minted concurrently.
    yield* Effect.orDie(sql`INSERT INTO ${table} ${sql.insert(row)} ON CONFLICT (user_id, purpose) DO UPDATE SET
      selector = excluded.selector, verifier = excluded.verifier,
      expires = excluded.expires, created_at = excluded.created_at`)
    return token
  })

  // One statement: of concurrent redeems, one deletes the row and gets it back. An expired row is deleted by any redeem;
  // any other row stays.
  const redeem = Effect.fnUntraced(function* (token: Redacted.Redacted, purpose: Purpose) {
    const now = yield* EpochSeconds.seconds
    const { selector, verifier } = TokenRows.presented(token)
    const deleted = yield* AccountRows.first(sql<Owned>`DELETE FROM ${table} WHERE selector = ${selector}
      AND (expires <= ${now} OR (verifier = ${verifier} AND ${isFor(purpose)})) RETURNING ${columns}`)
    const row = Option.getOrElse(deleted, () => unknownToken)
    return tokenState(toRow(row), verifier, purpose, now) === "Live" ? Option.some(row.user) : Option.none()
  })

  const owner = Effect.fnUntraced(function* (token: Redacted.Redacted, purpose: Purpose) {
    const now = yield* EpochSeconds.seconds
    const { selector, verifier } = TokenRows.presented(token)
    const found = yield* AccountRows.first(sql<Owned>`SELECT ${columns} FROM ${table} WHERE selector = ${selector}`)
    const row = Option.getOrElse(found, () => unknownToken)
    const state = tokenState(toRow(row), verifier, purpose, now)
    if (state === "Expired") {
      yield* Effect.orDie(sql`DELETE FROM ${table} WHERE selector = ${selector} AND expires <= ${now}`)
    }
    return state === "Live" ? Option.some({ user: row.user, since: Number(row.since) }) : Option.none()
  })

  const check = (token: Redacted.Redacted, purpose: Purpose) => Effect.map(owner(token, purpose), Option.isSome)

  const revoke = (user: AccountId, purpose?: Purpose, since?: number) => {
    const conditions = [
      ...(purpose === undefined ? [] : [isFor(purpose)]),
      ...(since === undefined ? [] : [sql`created_at >= ${since}`])
    ]
    return rows.remove(user, conditions.length === 0 ? undefined : sql.and(conditions))
  }

  const service = Tokens.of({
    mint,
    redeem,
    owner,
    check,
    revoke,
    sweep: rows.sweep()
  })
  return yield* Tracing.methods("Tokens", service)
})

/** Tokens in the program's own table. */
export const layerWith = ({ tables = Tables.defaults }: Options): Layer.Layer<Tokens, never, SqlClient.SqlClient> =>
  Layer.effect(Tokens, make(tables.tokens))

/**
 * Tokens in the table that the migrations create.
 *
 * @example
 * ```ts
 * import { Effect, Layer } from "effect"
 * import { Tokens } from "effect-framework/auth"
 * import { SqlTokens } from "effect-framework/layers/auth"
 * import { Database, Migrations } from "effect-framework/layers/database"
 * import type { Identity } from "effect-framework/session"
 *
 * const database = Layer.provideMerge(Migrations.layer, Database.layerConfig)
 *
 * export const recoveryOf = (user: Identity.AccountId) =>
 *   Effect.flatMap(Tokens.Tokens, (tokens) => tokens.mint(user, "recovery")).pipe(
 *     Effect.provide(Layer.provide(SqlTokens.layer, database))
 *   )
 * ```
 */
export const layer = layerWith({})

// A client of the program's own returns a `BIGINT` as text.
const toRow = ({ expires, purpose, verifier }: Row): Row => ({
  verifier,
  purpose: purpose.split(":", 1)[0] ?? "",
  expires: Number(expires)
})
