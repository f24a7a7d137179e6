// The schema, version by version. All that is missing is applied in one transaction under one lock: a second
// process waits and finds it done, and a failure leaves the old schema.
import { Migrator, SqlClient, SqlError } from "@effect/sql"
import { Effect, Layer } from "effect"
import { isUnavailable } from "../../src/errors/internal/DatabaseFailure.ts"
import { MigrationFailed, NewerSchema } from "../../src/database/internal/MigrationFailed.ts"
import * as Tables from "./Tables.ts"
import * as UsersTableCheck from "./internal/UsersTableCheck.ts"
import * as Accounts from "./migrations/Accounts.ts"
import * as Factors from "./migrations/Factors.ts"
import * as Jobs from "./migrations/Jobs.ts"
import * as Sessions from "./migrations/Sessions.ts"

export type { MigrationFailed, NewerSchema } from "../../src/database/internal/MigrationFailed.ts"

/** The framework's migrations by number and name. */
const framework = (tables: Tables.Tables) => ({
  "0001_users": Accounts.users(tables),
  "0002_tokens": Accounts.tokens(tables),
  "0003_trusts": Accounts.trusts(tables),
  "0004_sessions": Sessions.sessions(tables),
  "0005_rate_limits": Sessions.rateLimits(tables),
  "0006_keys": Sessions.keys(tables),
  "0007_mail_queue": Jobs.mailQueue(tables),
  "0008_trust_rotations": Accounts.trustRotations(tables),
  "0009_api_tokens": Accounts.apiTokens(tables),
  "0010_factors": Factors.factors(tables),
  "0011_security_events": Accounts.securityEvents(tables),
  "0012_account_changes": Accounts.accountChanges(tables),
  "0013_passkeys": Factors.passkeys(tables),
  "0014_factor_recoveries": Factors.factorRecoveries(tables),
  "0015_languages": Accounts.languages(tables),
  "0016_wrong_codes": Factors.wrongCodes(tables),
  "0017_notices": Accounts.notices(tables),
  "0018_jobs": Jobs.jobs(tables),
  "0019_linked_identities": Accounts.linkedIdentities(tables),
  "0020_job_keys": Jobs.jobKeys(tables),
  "0021_job_vacuum": Jobs.jobVacuum(tables),
  "0022_job_started_key": Jobs.jobStartedKey(tables)
})

/** Migrations by number and name, such as `"0001_articles"`. A number is never used twice. */
export type Migrations = Readonly<Record<`${number}_${string}`, Effect.Effect<void, unknown, SqlClient.SqlClient>>>

/** Which migrations are run, and where. */
export interface Options {
  /** Whether to run on a schema that a newer version has migrated, for a deploy that is rolled back. */
  readonly allowNewer?: boolean
  /** The tables, when they have a schema or a prefix, or the accounts are in a table of the program's own. */
  readonly tables?: Tables.Tables
}

interface History {
  readonly owner: string
  readonly table: string
  readonly migrations: Migrations
}

// Two tables of applied migrations, so that the numbers of the framework and of the program do not collide.
const histories = (program: Migrations | undefined, tables: Tables.Tables): ReadonlyArray<History> => [
  { owner: "framework", table: tables.frameworkMigrations, migrations: framework(tables) },
  ...(program === undefined ? [] : [{ owner: "program", table: tables.programMigrations, migrations: program }])
]

/**
 * Applies what is missing, of the framework first and then of the program; the names of what was applied. Fails with
 * `NewerSchema` when a newer version was here before. Without a program its own migrations are left alone. A table of
 * accounts that the program owns is checked at the end, and `MigrationFailed` lists what it lacks.
 *
 * @example
 * ```ts
 * import { SqlClient } from "@effect/sql"
 * import { Console, Effect } from "effect"
 * import { Database, Migrations } from "effect-framework/layers/database"
 *
 * const migrations = {
 *   "0001_teapots": Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE teapots (name TEXT NOT NULL PRIMARY KEY)`)
 * }
 *
 * // For a step of a deploy that migrates before the new version starts.
 * const migrate = Effect.gen(function* () {
 *   const names = yield* Migrations.missing(migrations)
 *   yield* Console.log(names.length === 0 ? "Nothing is missing" : `Applying ${names.join(", ")}`)
 *   yield* Migrations.run(migrations)
 * })
 *
 * export const program = Effect.provide(migrate, Database.layerConfig)
 * ```
 */
export const run = (
  program?: Migrations,
  { allowNewer = false, tables = Tables.defaults }: Options = {}
): Effect.Effect<ReadonlyArray<string>, MigrationFailed | NewerSchema, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.gen(function* () {
      yield* lock
      yield* makeSchema(tables)
      const all = histories(program, tables)
      const unknown = yield* Effect.map(Effect.forEach(all, open), (each) => each.flat())
      if (unknown.length > 0 && !allowNewer) return yield* new NewerSchema({ migrations: unknown })
      const applied = yield* Effect.map(Effect.forEach(all, apply), (each) => each.flat())
      yield* UsersTableCheck.run(tables.users)
      return { applied, unknown }
    }).pipe(
      sql.withTransaction,
      // SQLite waits five seconds by itself; a long migration of another process may need a minute.
      Effect.retry({ times: 11, while: (error) => sqlite(sql) && isUnavailable(error) }),
      Effect.catchTag("SqlError", (error) => Effect.fail(failure(error))),
      Effect.tap(({ unknown }) =>
        unknown.length === 0
          ? Effect.void
          : Effect.logWarning(`This version runs on the schema of a newer one, with ${unknown.join(", ")}`)
      ),
      Effect.map(({ applied }) => applied)
    )
  )

/** The migrations that the database lacks, by number and name; nothing is changed. */
export const missing = (
  program?: Migrations,
  { tables = Tables.defaults }: Pick<Options, "tables"> = {}
): Effect.Effect<ReadonlyArray<string>, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.map(
    Effect.forEach(histories(program, tables), ({ migrations, table }) =>
      Effect.gen(function* () {
        // Asked first: the driver of SQLite remembers a statement that could not be prepared.
        const applied = (yield* has(table)) ? yield* entries(table) : []
        const ids = new Set(applied.map(({ migration_id }) => migration_id))
        return (yield* numbered(migrations)).flatMap(([id, name]) => (ids.has(id) ? [] : [nameOf(id, name)]))
      })
    ),
    (each) => each.flat()
  )

/** The framework's tables alone. */
export const layer: Layer.Layer<never, MigrationFailed | NewerSchema, SqlClient.SqlClient> = Layer.effectDiscard(run())

/**
 * The framework's tables, then the program's own. What reads them is built after them when both are one layer:
 * `Layer.provideMerge(Migrations.layerWith(own), Database.layerConfig)`.
 *
 * @example
 * ```ts
 * import { SqlClient } from "@effect/sql"
 * import { Effect, Layer } from "effect"
 * import { Database, Migrations } from "effect-framework/layers/database"
 *
 * const migrations = {
 *   "0001_teapots": Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE teapots (name TEXT NOT NULL PRIMARY KEY)`)
 * }
 *
 * // Whatever is built on this client finds the tables.
 * export const database = Layer.provideMerge(Migrations.layerWith(migrations), Database.layerConfig)
 * ```
 */
export const layerWith = (
  program: Migrations,
  options: Options = {}
): Layer.Layer<never, MigrationFailed | NewerSchema, SqlClient.SqlClient> => Layer.effectDiscard(run(program, options))

const sqlite = (sql: SqlClient.SqlClient): boolean => sql.onDialectOrElse({ sqlite: () => true, orElse: () => false })

// SQLite's transaction holds the file's only write lock from its begin. PostgreSQL needs a lock that is there before
// the first table; its number is ours alone by chance, and it goes with the transaction.
const lock: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({
    pg: (): Effect.Effect<void, SqlError.SqlError> =>
      // A migration may take as long as it needs.
      sql`SET LOCAL statement_timeout = 0`.pipe(
        Effect.zipRight(sql`SET LOCAL lock_timeout = '60s'`),
        Effect.zipRight(sql`SELECT pg_advisory_xact_lock(7236011459820017)`)
      ),
    orElse: (): Effect.Effect<void, SqlError.SqlError> => Effect.void
  })
)

// Asked first: creating a schema takes a right that a program may not have.
const makeSchema = Effect.fnUntraced(function* ({ schema }: Tables.Tables) {
  if (schema === undefined) return
  const sql = yield* SqlClient.SqlClient
  if (sqlite(sql)) {
    return yield* new MigrationFailed({
      reason: `SQLite has no schemas: use a prefix in place of the schema ${schema}`
    })
  }
  const found = yield* sql`SELECT 1 FROM pg_namespace WHERE nspname = ${schema}`
  if (found.length === 0) yield* sql`CREATE SCHEMA ${sql(schema)}`
})

// Creates the table when it is missing; returns the applied migrations that this version does not know.
const open = Effect.fnUntraced(function* ({ migrations, owner, table }: History) {
  const sql = yield* SqlClient.SqlClient
  // The migrator looks for its table with a query that fails without it, and so would end PostgreSQL's transaction.
  yield* sql`CREATE TABLE IF NOT EXISTS ${sql(table)} (
    migration_id INTEGER NOT NULL PRIMARY KEY,
    created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    name TEXT NOT NULL
  )`
  const known = new Set((yield* numbered(migrations)).map(([id]) => id))
  const applied = yield* entries(table)
  return applied
    .filter(({ migration_id }) => !known.has(migration_id))
    .map(({ migration_id, name }) => `${owner} ${nameOf(migration_id, name)}`)
})

const apply = Effect.fnUntraced(function* ({ migrations, table }: History) {
  yield* agree(table, migrations)
  const migrate = Migrator.make({})({ loader: Migrator.fromRecord({ ...migrations }), table })
  const applied = yield* migrate.pipe(
    // The migrator dies of a failing migration.
    Effect.catchAllDefect((cause) => Effect.fail(cause)),
    Effect.mapError((cause) => (cause instanceof SqlError.SqlError ? cause : failure(cause)))
  )
  return applied.map(([id, name]) => nameOf(id, name))
})

const numbered = (migrations: Migrations) => Effect.orDie(Migrator.fromRecord({ ...migrations }))

const has = (table: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql.onDialectOrElse({
        pg: () => sql`SELECT 1 WHERE to_regclass(${table}) IS NOT NULL`,
        orElse: () => sql`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ${table}`
      }),
      (rows) => rows.length > 0
    )
  )

const entries = (table: string) =>
  Effect.flatMap(SqlClient.SqlClient, (client) => {
    const sql = client.withoutTransforms()
    return sql<{ migration_id: number; name: string }>`SELECT migration_id, name FROM ${sql(table)}
      ORDER BY migration_id`
  })

// The migrator only looks at the highest number: one that was added below it would be skipped silently.
const agree = Effect.fnUntraced(function* (table: string, migrations: Migrations) {
  const applied = new Map((yield* entries(table)).map((row) => [row.migration_id, row.name]))
  const latest = Math.max(0, ...applied.keys())
  for (const [id, name] of yield* numbered(migrations)) {
    if (id > latest || applied.get(id) === name) continue
    const there = applied.get(id)
    const reason =
      there === undefined
        ? `a later one, number ${latest}, was applied before it`
        : `${nameOf(id, there)} was applied under its number`
    return yield* new MigrationFailed({ migration: nameOf(id, name), reason })
  }
})

const nameOf = (id: number, name: string): string => `${String(id).padStart(4, "0")}_${name}`

const failure = (cause: unknown): MigrationFailed => {
  const [, id, name] = (cause instanceof Migrator.MigrationError && /"(\d+)_([^"]+)"/.exec(cause.message)) || []
  const migration = id !== undefined && name !== undefined ? nameOf(Number(id), name) : undefined
  return new MigrationFailed({ migration, reason: reasonOf(cause), cause })
}

// The innermost cause is the database's own sentence.
const reasonOf = (cause: unknown): string => {
  let inner = cause
  for (let depth = 0; depth < 8 && inner instanceof Error && inner.cause instanceof Error; depth++) inner = inner.cause
  const [line] = (inner instanceof Error ? inner.message : String(inner)).split("\n")
  return line ?? "unknown"
}
