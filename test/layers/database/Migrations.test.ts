import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Logger } from "effect"
import * as Migrations from "../../../layers/database/Migrations.ts"
import { NewerSchema } from "../../../src/database/internal/MigrationFailed.ts"
import { describeDatabases, TestDatabase } from "../../support/Databases.ts"
import { deadline, runConcurrently } from "../../support/ConcurrentProcesses.ts"

const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql.onDialectOrElse({
    pg: () =>
      sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    orElse: () => sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'table'`
  })
  return rows.map((row) => row.name).sort()
})

const create = (table: string) =>
  Effect.asVoid(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE ${sql(table)} (id INTEGER NOT NULL)`))

const broken = Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.asVoid(sql`SELECT * FROM nowhere`))

// Written out: the number and name of a migration that a release has had are never changed.
const framework = [
  "0001_users",
  "0002_tokens",
  "0003_trusts",
  "0004_sessions",
  "0005_rate_limits",
  "0006_keys",
  "0007_mail_queue",
  "0008_trust_rotations",
  "0009_api_tokens",
  "0010_factors",
  "0011_security_events",
  "0012_account_changes",
  "0013_passkeys",
  "0014_factor_recoveries",
  "0015_languages",
  "0016_wrong_codes",
  "0017_notices",
  "0018_jobs",
  "0019_linked_identities",
  "0020_job_keys",
  "0021_job_vacuum",
  "0022_job_started_key"
]

describeDatabases("Migrations", (database) => {
  layer(database.layerEmpty)((it) => {
    it.effect("applies the framework's migrations in order, then the program's, and each once", () =>
      Effect.gen(function* () {
        const program = { "0002_comments": create("comments"), "0001_articles": create("articles") }
        expect(yield* Migrations.run(program)).toEqual([...framework, "0001_articles", "0002_comments"])
        expect(yield* Migrations.run(program)).toEqual([])
        expect(yield* tables).toEqual(
          expect.arrayContaining(["articles", "comments", "sessions", "tokens", "trusts", "users"])
        )
      })
    )
  })

  layer(database.layerEmpty)((it) => {
    it.effect("leaves an empty database empty when a migration fails", () =>
      Effect.gen(function* () {
        const program = { "0001_half": create("half"), "0002_broken": Effect.zipRight(create("more"), broken) }
        const failure = yield* Effect.flip(Migrations.run(program))
        expect(failure).toMatchObject({ _tag: "MigrationFailed", migration: "0002_broken" })
        expect(failure.message).toContain("nowhere")
        expect(failure.message).not.toContain("\n")
        expect(yield* tables).toEqual([])
      })
    )
  })

  layer(database.layer)((it) => {
    it.effect("leaves the old schema when a later migration fails, and continues once it is fixed", () =>
      Effect.gen(function* () {
        yield* Migrations.run({ "0001_old": create("old") })
        const before = yield* tables
        const failing = { "0001_old": create("old"), "0002_new": Effect.zipRight(create("fresh"), broken) }
        yield* Effect.flip(Migrations.run(failing))
        expect(yield* tables).toEqual(before)
        expect(yield* Migrations.run({ ...failing, "0002_new": create("fresh") })).toEqual(["0002_new"])
      })
    )
  })

  layer(database.layer)((it) => {
    it.effect("leaves the old schema when a migration throws", () =>
      Effect.gen(function* () {
        const before = yield* tables
        const thrown = Effect.sync((): void => {
          throw new TypeError("not a function")
        })
        const failure = yield* Effect.flip(Migrations.run({ "0001_thrown": Effect.zipRight(create("half"), thrown) }))
        expect(failure.message).toContain("not a function")
        expect(yield* tables).toEqual(before)
      })
    )
  })

  layer(database.layer)((it) => {
    it.effect("refuses a migration that was added below an applied one instead of skipping it", () =>
      Effect.gen(function* () {
        yield* Migrations.run({ "0002_late": create("late") })
        const failure = yield* Effect.flip(
          Migrations.run({ "0001_early": create("early"), "0002_late": create("late") })
        )
        expect(failure).toMatchObject({ migration: "0001_early" })
        expect(yield* tables).not.toContain("early")
      })
    )

    it.effect("refuses another migration under a used number", () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(Migrations.run({ "0002_renamed": create("renamed") }))
        expect(failure).toMatchObject({ migration: "0002_renamed" })
        expect(failure.message).toContain("0002_late")
      })
    )

    it.effect("refuses two migrations with one number", () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(
          Migrations.run({ "0002_late": create("late"), "0003_a": create("a"), "3_b": create("b") })
        )
        expect(failure.message).toContain("duplicate")
      })
    )
  })

  layer(database.layerEmpty)((it) => {
    const older = { "0001_articles": create("articles") }
    const newer = { ...older, "0002_tags": create("tags"), "0003_votes": create("votes") }

    it.effect("refuses an older program on the schema of a newer one, and names what it does not know", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* Migrations.run(newer)
        const failure = yield* Effect.flip(Migrations.run(older))
        expect(failure).toBeInstanceOf(NewerSchema)
        expect(failure.message).toBe(
          "The database was migrated by a newer version: it has program 0002_tags, program 0003_votes, which this one does not know. " +
            "Start the newer version, or set DATABASE_ALLOW_NEWER=1 to run this one on the newer schema"
        )
        expect(yield* Effect.flip(Migrations.run({}))).toMatchObject({
          migrations: ["program 0001_articles", "program 0002_tags", "program 0003_votes"]
        })
        yield* sql`INSERT INTO framework_migrations (migration_id, name) VALUES (9001, ${"audit"})`
        expect(yield* Effect.flip(Migrations.run(older))).toMatchObject({
          migrations: ["framework 9001_audit", "program 0002_tags", "program 0003_votes"]
        })
        // A program without migrations does not look at its own book of migrations.
        expect(yield* Effect.flip(Migrations.run())).toMatchObject({ migrations: ["framework 9001_audit"] })
        yield* sql`DELETE FROM framework_migrations WHERE migration_id = 9001`
        expect(yield* Migrations.run()).toEqual([])
      })
    )

    it.effect("applies no migration when it refuses to start", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const before = yield* tables
        yield* sql`INSERT INTO framework_migrations (migration_id, name) VALUES (9001, ${"audit"})`
        yield* Effect.flip(Migrations.run({ ...newer, "0004_more": create("more") }))
        expect(yield* tables).toEqual(before)
        yield* sql`DELETE FROM framework_migrations WHERE migration_id = 9001`
      })
    )

    it.effect("lets it start where that is allowed, changes nothing, and warns", () =>
      Effect.gen(function* () {
        const before = yield* tables
        const said: Array<string> = []
        const logger = Logger.make(({ message }) => void said.push(String(message)))
        const applied = yield* Effect.provide(
          Migrations.run(older, { allowNewer: true }),
          Logger.replace(Logger.defaultLogger, logger)
        )
        expect(applied).toEqual([])
        expect(yield* tables).toEqual(before)
        expect(said).toEqual([
          "This version runs on the schema of a newer one, with program 0002_tags, program 0003_votes"
        ])
        expect(yield* Migrations.run(newer)).toEqual([])
      })
    )
  })

  layer(database.layerEmpty)((it) => {
    it.effect(
      "applies everything once when four processes start at the same moment",
      () =>
        Effect.gen(function* () {
          const { name, url } = yield* TestDatabase
          // On SQLite the four also race for the file itself.
          const target = name === "SQLite" ? url.replace("test.sqlite", "raced/new.sqlite") : url
          const results = yield* runConcurrently(4, target, "migrate")
          const sizes = results.map((result) => (Array.isArray(result) ? result.length : -1))
          expect(sizes.sort((a, b) => a - b)).toEqual([0, 0, 0, framework.length + 1])
          const sees = Effect.flatMap(
            SqlClient.SqlClient,
            (sql) => sql<{ total: number }>`SELECT count(*) AS total FROM articles`
          )
          expect(yield* Effect.provide(sees, database.layerAt(target))).toEqual([{ total: 1 }])
        }),
      deadline
    )
  })
})
