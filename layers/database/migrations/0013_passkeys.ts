// Passkeys, and the challenges that browsers are to sign. A public key and the digest of a challenge grant nothing.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

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
