// The `seed` command: adds the demo's account and articles when they are missing.
import { Console, Effect, Layer } from "effect"
import * as SqlAuthentication from "../../layers/auth/SqlAuthentication.ts"
import * as Database from "../../layers/database/Database.ts"
import * as Migrations from "../../layers/database/Migrations.ts"
import * as Auth from "../../src/auth/AuthSettings.ts"
import * as Account from "../Account.ts"
import * as ArticlesMigration from "../articles/Migration.ts"
import * as ArticlesSeed from "../articles/Seed.ts"
import type { Settings } from "../Settings.ts"
import type { Work, Args } from "./Command.ts"

export const usage = `Usage: seed

Adds the account ${Account.email} and 1,000 articles when they are missing. Changes nothing else.

  --help   print this`

const seed = ({ allowNewerSchema: allowNewer, auth }: Settings) =>
  Effect.gen(function* () {
    yield* Migrations.run(ArticlesMigration.migrations, { allowNewer })
    const accounts = SqlAuthentication.layer.pipe(Layer.provide(Auth.layerWith(auth)))
    yield* Effect.provide(Account.seed, accounts)
    yield* ArticlesSeed.run
    yield* Console.log("the demo's account and its articles are there")
    return 0
  })

const work: Work = (settings) => Effect.provide(seed(settings), Database.layer(settings.database, settings))

export const parse = (args: Args): Work | undefined => (args.length === 0 ? work : undefined)
