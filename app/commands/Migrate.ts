// The `migrate` command: brings the schema up to date and prints what it did.
import { Command } from "@effect/cli"
import { Console, Effect } from "effect"
import * as Migrations from "../../layers/database/Migrations.ts"
import * as Tables from "../../layers/database/Tables.ts"
import type { Program } from "../Program.ts"
import type { RunOnDatabase } from "./Work.ts"

const migrate = Effect.fnUntraced(function* <E>(
  { migrations = {}, tables = Tables.defaults }: Program<E>,
  allowNewer: boolean
) {
  const applied = yield* Migrations.run(migrations, { allowNewer, tables })
  for (const name of applied) yield* Console.log(`applied ${name}`)
  if (applied.length === 0) yield* Console.log("nothing to apply, the schema is up to date")
  return 0
})

/** `migrate`. */
export const command = <E, E3>(run: RunOnDatabase<E3>, app: Effect.Effect<Program<E>>) =>
  Command.make("migrate", {}, () =>
    run(({ allowNewerSchema }) => Effect.flatMap(app, (loaded) => migrate(loaded, allowNewerSchema)))
  ).pipe(Command.withDescription("apply the migrations that the database lacks; safe beside a running program"))
