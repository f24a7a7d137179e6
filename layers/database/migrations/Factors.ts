// The tables of second factors and passkeys, and of the requests of those who have lost theirs. A migration that a release has had is never changed.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

/**
 * Second factors. The secret of a factor is sealed by a key of `sealing_keys`, so that a copy of this table alone reveals
 * none; `last_step` is the step of the last code that was accepted, so that each code works once. A recovery code is a
 * digest. A pending sign-in is the right password that waits for its factor, with the digest of the client's secret.
 */
export const factors = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  const index = (name: string) => sql(`${tables.prefix}${name}`)
  yield* sql`CREATE TABLE ${sql(tables.factors)} (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    name TEXT NOT NULL,
    secret TEXT NOT NULL,
    key_id INTEGER NOT NULL,
    last_step BIGINT NOT NULL,
    last_used BIGINT NOT NULL,
    created_at BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX ${index("factors_user")} ON ${sql(tables.factors)} (user_id)`
  yield* sql`CREATE INDEX ${index("factors_key")} ON ${sql(tables.factors)} (key_id)`
  yield* sql`CREATE TABLE ${sql(tables.recoveryCodes)} (
    key TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    created_at BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX ${index("recovery_codes_user")} ON ${sql(tables.recoveryCodes)} (user_id)`
  yield* sql`CREATE TABLE ${sql(tables.factorSettings)} (
    user_id TEXT NOT NULL PRIMARY KEY,
    every_device INTEGER NOT NULL
  )`
  yield* sql`CREATE TABLE ${sql(tables.pendingSignIns)} (
    selector TEXT NOT NULL PRIMARY KEY,
    verifier TEXT NOT NULL,
    user_id TEXT NOT NULL,
    remember INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    as_of BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    created_at BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX ${index("pending_sign_ins_user")} ON ${sql(tables.pendingSignIns)} (user_id)`
  yield* sql`CREATE INDEX ${index("pending_sign_ins_expires")} ON ${sql(tables.pendingSignIns)} (expires)`
  yield* sql`CREATE TABLE ${sql(tables.sealingKeys)} (
    id INTEGER NOT NULL PRIMARY KEY,
    secret TEXT NOT NULL,
    created_at BIGINT NOT NULL
  )`
})

/** Passkeys, and the challenges that browsers are to sign. A public key and the digest of a challenge grant nothing. */
export const passkeys = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE ${sql(tables.passkeys)} (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    name TEXT NOT NULL,
    public_key TEXT NOT NULL,
    counter BIGINT NOT NULL,
    transports TEXT NOT NULL,
    backup_eligible BIGINT NOT NULL,
    backed_up BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used BIGINT
  )`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}passkeys_user`)} ON ${sql(tables.passkeys)} (user_id)`
  yield* sql`CREATE TABLE ${sql(tables.passkeyChallenges)} (
    key TEXT NOT NULL PRIMARY KEY,
    visit TEXT NOT NULL,
    purpose TEXT NOT NULL,
    user_id TEXT NOT NULL,
    expires BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}passkey_challenges_expires`)}
    ON ${sql(tables.passkeyChallenges)} (expires)`
})

/**
 * Recoveries of accounts whose factors are lost: one for an account at most. `cancel_…` is the link of the first message,
 * `selector` and `verifier` are that of the second one and absent until it is sent.
 */
export const factorRecoveries = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  const table = sql(tables.factorRecoveries)
  const index = (name: string) => sql(`${tables.prefix}factor_recoveries_${name}`)
  yield* sql`CREATE TABLE ${table} (
    user_id TEXT NOT NULL PRIMARY KEY,
    email TEXT NOT NULL,
    cancel_selector TEXT NOT NULL,
    cancel_verifier TEXT NOT NULL,
    selector TEXT,
    verifier TEXT,
    ready BIGINT NOT NULL,
    expires BIGINT NOT NULL
  )`
  yield* sql`CREATE UNIQUE INDEX ${index("cancel")} ON ${table} (cancel_selector)`
  yield* sql`CREATE UNIQUE INDEX ${index("selector")} ON ${table} (selector)`
  yield* sql`CREATE INDEX ${index("expires")} ON ${table} (expires)`
})

/** Wrong codes of a second factor from devices that the account does not know, since its password was set. */
export const wrongCodes = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE ${sql(tables.factorSettings)} ADD COLUMN wrong_codes BIGINT NOT NULL DEFAULT 0`
})
