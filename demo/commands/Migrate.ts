// The `migrate` command: brings the schema up to date and says what it did.
import type { SqlClient } from "@effect/sql"
import { Console, Effect } from "effect"
import * as Migrations from "../../layers/database/Migrations.ts"
import type { MigrationFailed } from "../../src/database/MigrationFailed.ts"
import * as ArticlesMigration from "../articles/Migration.ts"

export const usage = `Usage: migrate

Applies the migrations that DATABASE_URL's database lacks. Safe to run beside a running program.`

/** The command for these words; its exit status. */
export const migrate = (argv: ReadonlyArray<string>): Effect.Effect<number, MigrationFailed, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    if (argv.length > 0) return yield* Effect.as(Console.error(usage), 2)
    const applied = yield* Migrations.run(ArticlesMigration.migrations)
    for (const name of applied) yield* Console.log(`applied ${name}`)
    if (applied.length === 0) yield* Console.log("nothing to apply, the schema is up to date")
    return 0
  })
