// The `seed` command: the demo's account and its articles, where they are missing.
import type { SqlClient } from "@effect/sql"
import { Console, Effect, Layer } from "effect"
import * as SqlAuthentication from "../../layers/auth/SqlAuthentication.ts"
import * as Migrations from "../../layers/database/Migrations.ts"
import type { Prepared } from "../../layers/database/Prepared.ts"
import * as Auth from "../../src/auth/Settings.ts"
import type { MigrationFailed } from "../../src/database/MigrationFailed.ts"
import * as Account from "../Account.ts"
import * as ArticlesMigration from "../articles/Migration.ts"
import * as ArticlesSeed from "../articles/Seed.ts"

export const usage = `Usage: seed

Adds the account ${Account.email} and 1,000 articles where they are missing. Changes nothing that is there.`

/** The command for these words; its exit status. */
export const seed = (
  argv: ReadonlyArray<string>,
  auth: Auth.Values
): Effect.Effect<number, MigrationFailed, SqlClient.SqlClient | Prepared> =>
  Effect.gen(function* () {
    if (argv.length > 0) return yield* Effect.as(Console.error(usage), 2)
    yield* Migrations.run(ArticlesMigration.migrations)
    const accounts = SqlAuthentication.layer.pipe(Layer.provide(Auth.layerWith(auth)))
    yield* Effect.provide(Account.seed, accounts)
    yield* ArticlesSeed.run
    yield* Console.log("the demo's account and its articles are there")
    return 0
  })
