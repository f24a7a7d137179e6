// Second factors. The secret of a factor is sealed by a key of `sealing_keys`, so that a copy of this table alone reveals
// none; `last_step` is the step of the last code that was accepted, so that each code works once. A recovery code is a
// digest. A pending sign-in is the right password that waits for its factor, with the digest of the client's secret.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

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
