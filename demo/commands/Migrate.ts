// The `migrate` command: brings the schema up to date and prints what it did.
import { Console, Effect } from "effect"
import * as Database from "../../layers/database/Database.ts"
import * as Migrations from "../../layers/database/Migrations.ts"
import * as ArticlesMigration from "../articles/Migration.ts"
import type { Work, Args } from "./Command.ts"

export const usage = `Usage: migrate

Applies the migrations that DATABASE_URL's database lacks. Safe to run beside a running program.

  --help   print this`

const migrate = Effect.fnUntraced(function* (allowNewer: boolean) {
  const applied = yield* Migrations.run(ArticlesMigration.migrations, { allowNewer })
  for (const name of applied) yield* Console.log(`applied ${name}`)
  if (applied.length === 0) yield* Console.log("nothing to apply, the schema is up to date")
  return 0
})

const work: Work = ({ allowNewerSchema, database, statementTimeout }) =>
  Effect.provide(migrate(allowNewerSchema), Database.layer(database, { statementTimeout }))

export const parse = (args: Args): Work | undefined => (args.length === 0 ? work : undefined)
