// The tables of accounts: who they are, what they may prove, and what happened to them. A migration that a release has had is never changed.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

/** Accounts. Only the unique index prevents a second account with the same e-mail address. */
export const users = Effect.fnUntraced(function* (tables: Tables) {
  // The program's own table is there already, or comes with the program's migrations.
  if (tables.users.owner === "program") return
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE ${sql(tables.users.table)} (
    id TEXT NOT NULL PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    password TEXT NOT NULL,
    email_verified_at BIGINT,
    created_at BIGINT NOT NULL
  )`
})

/**
 * Single-use action tokens. Only the digest of the verifier is stored.
 *
 * No table has a foreign key to `users`: its name and columns are options of the layers, and a program may store its
 * accounts elsewhere.
 */
export const tokens = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE ${sql(tables.tokens)} (
    selector TEXT NOT NULL PRIMARY KEY,
    verifier TEXT NOT NULL,
    user_id TEXT NOT NULL,
    purpose TEXT NOT NULL,
    expires BIGINT NOT NULL,
    created_at BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}tokens_user`)} ON ${sql(tables.tokens)} (user_id, purpose)`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}tokens_expires`)} ON ${sql(tables.tokens)} (expires)`
})

/**
 * Trusted devices, one row for each series. `previous` and `rotated_at` are for the grace period of two tabs that open at
 * once; `peer`, `user_agent` and `last_used` are for the list of devices that a user sees.
 */
export const trusts = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE ${sql(tables.trusts)} (
    selector TEXT NOT NULL PRIMARY KEY,
    verifier TEXT NOT NULL,
    user_id TEXT NOT NULL,
    expires BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    previous TEXT,
    rotated_at BIGINT,
    peer TEXT,
    user_agent TEXT,
    last_used BIGINT
  )`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}trusts_user`)} ON ${sql(tables.trusts)} (user_id)`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}trusts_expires`)} ON ${sql(tables.trusts)} (expires)`
})

/**
 * The two phases of a rotation: `next` is the digest of a validator whose response is about to be sent, `next_until` ends
 * the lease of the process that sends it, in milliseconds. Both are null when no rotation is pending.
 */
export const trustRotations = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE ${sql(tables.trusts)} ADD COLUMN next TEXT`
  yield* sql`ALTER TABLE ${sql(tables.trusts)} ADD COLUMN next_until BIGINT`
})

/**
 * API tokens. The key is the digest of the secret, so that a copy of this table grants nothing. `scopes` are separated by
 * blanks.
 */
export const apiTokens = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE ${sql(tables.apiTokens)} (
    key TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used BIGINT,
    expires BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}api_tokens_user`)} ON ${sql(tables.apiTokens)} (user_id)`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}api_tokens_expires`)} ON ${sql(tables.apiTokens)} (expires)`
})

const message = "security_events is append-only"

/**
 * What happened to accounts. `details` is the JSON of what the event has besides its name. Rows are added and, when they are
 * old, deleted; a trigger refuses to change one.
 */
export const securityEvents = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  const table = sql(tables.securityEvents)
  const name = `${tables.prefix}security_events`
  yield* sql`CREATE TABLE ${table} (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    event TEXT NOT NULL,
    outcome TEXT NOT NULL,
    actor TEXT NOT NULL,
    peer TEXT NOT NULL,
    user_agent TEXT NOT NULL,
    details TEXT NOT NULL,
    created_at BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX ${sql(`${name}_user`)} ON ${table} (user_id, id)`
  yield* sql`CREATE INDEX ${sql(`${name}_created`)} ON ${table} (created_at)`
  const trigger = sql(`${name}_append_only`)
  yield* sql.onDialectOrElse({
    pg: () =>
      Effect.gen(function* () {
        const refuse = sql(`${tables.securityEvents}_append_only`)
        yield* sql`CREATE FUNCTION ${refuse}() RETURNS trigger LANGUAGE plpgsql
          AS ${sql.literal(`$$ BEGIN RAISE EXCEPTION '${message}'; END $$`)}`
        yield* sql`CREATE TRIGGER ${trigger} BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${refuse}()`
      }),
    orElse: () => sql`CREATE TRIGGER ${trigger} BEFORE UPDATE ON ${table}
      BEGIN SELECT RAISE(ABORT, ${sql.literal(`'${message}'`)}); END`
  })
})

/**
 * Changes of accounts that wait for a link or a day. `kind` is `email` (a new address, proved by its link), `undo` (an old
 * address, restored by its link; an earlier one has a lower position) or `deletion` (due at `expires`). Of the first and the
 * last an account has one at most.
 */
export const accountChanges = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  const table = sql(tables.accountChanges)
  const index = (name: string) => sql(`${tables.prefix}account_changes_${name}`)
  yield* sql`CREATE TABLE ${table} (
    selector TEXT NOT NULL PRIMARY KEY,
    verifier TEXT NOT NULL,
    user_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    email TEXT NOT NULL,
    position BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires BIGINT NOT NULL
  )`
  yield* sql`CREATE UNIQUE INDEX ${index("one")} ON ${table} (user_id, kind) WHERE kind <> 'undo'`
  yield* sql`CREATE INDEX ${index("user")} ON ${table} (user_id)`
  yield* sql`CREATE INDEX ${index("email")} ON ${table} (email)`
  yield* sql`CREATE INDEX ${index("expires")} ON ${table} (expires)`
})

/** The language of the request that a waiting change or recovery was asked for with: its messages are sent much later. */
export const languages = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE ${sql(tables.accountChanges)} ADD COLUMN language TEXT NOT NULL DEFAULT ''`
  yield* sql`ALTER TABLE ${sql(tables.factorRecoveries)} ADD COLUMN language TEXT NOT NULL DEFAULT ''`
})

/**
 * Messages about changes of accounts that wait to be sent. The id of one that collects changes is a digest of its account and
 * its recipient; whoever sends it gives it another one, so that the next change begins a new message.
 */
export const notices = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  const table = sql(tables.notices)
  yield* sql`CREATE TABLE ${table} (
    id TEXT NOT NULL PRIMARY KEY,
    letter TEXT NOT NULL,
    changes TEXT NOT NULL,
    token TEXT NOT NULL,
    due BIGINT NOT NULL,
    created_at BIGINT NOT NULL
  )`
  for (const column of ["due", "created_at"]) {
    yield* sql`CREATE INDEX ${sql(`${tables.prefix}notices_${column}`)} ON ${table} (${sql(column)})`
  }
})

/**
 * The identities at providers by which accounts sign in, and what a sign-in with a provider leaves for a moment: the digests
 * of used states and of codes. Neither table holds a token of a provider.
 */
export const linkedIdentities = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE ${sql(tables.linkedIdentities)} (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id TEXT NOT NULL,
    provider TEXT NOT NULL,
    label TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used BIGINT,
    PRIMARY KEY (issuer, subject)
  )`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}linked_identities_user`)} ON ${sql(tables.linkedIdentities)} (user_id)`
  yield* sql`CREATE TABLE ${sql(tables.providerFlows)} (
    key TEXT NOT NULL PRIMARY KEY,
    data TEXT NOT NULL,
    expires BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}provider_flows_expires`)} ON ${sql(tables.providerFlows)} (expires)`
})
