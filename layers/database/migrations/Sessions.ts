// The tables of who talks: sessions, rate limits and keys. A migration that a release has had is never changed.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

/**
 * Sessions of signed-in users. The key is the digest of the id in the cookie, so that a copy of this table opens no
 * session. `expires` is the idle deadline, `absolute` the deadline that no request extends.
 */
export const sessions = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE ${sql(tables.sessions)} (
    key TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    data TEXT NOT NULL,
    version INTEGER NOT NULL,
    created_at BIGINT NOT NULL,
    last_seen BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    absolute BIGINT NOT NULL,
    peer TEXT,
    user_agent TEXT
  )`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}sessions_user`)} ON ${sql(tables.sessions)} (user_id)`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}sessions_expires`)} ON ${sql(tables.sessions)} (expires)`
})

/**
 * Counters of rate limits. The key is a digest, since it may be made of an IP address or an e-mail address. `hits` holds
 * the timestamps that still count, oldest first, thirteen digits each.
 */
export const rateLimits = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE ${sql(tables.rateLimits)} (
    key TEXT NOT NULL PRIMARY KEY,
    hits TEXT NOT NULL,
    expires BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}rate_limits_expires`)} ON ${sql(tables.rateLimits)} (expires)`
})

/**
 * The keys that sign the cookies of guests, shared by all workers. `revocations` counts how often the sign-ins of an
 * account were revoked. The unique index allows one token for each user and purpose.
 */
export const keys = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE ${sql(tables.keys)} (
    id INTEGER NOT NULL PRIMARY KEY,
    secret TEXT NOT NULL,
    created_at BIGINT NOT NULL
  )`
  yield* sql`CREATE TABLE ${sql(tables.revocations)} (
    user_id TEXT NOT NULL PRIMARY KEY,
    number BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}revocations_number`)} ON ${sql(tables.revocations)} (number)`
  yield* sql`DROP INDEX ${sql(`${tables.tokens}_user`)}`
  yield* sql`CREATE UNIQUE INDEX ${sql(`${tables.prefix}tokens_user`)} ON ${sql(tables.tokens)} (user_id, purpose)`
})
