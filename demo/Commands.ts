// Which command is meant, with what it needs; its exit status becomes the process's.
import type { SqlClient } from "@effect/sql"
import { type ConfigError, Console, Effect } from "effect"
import * as Database from "../layers/database/Database.ts"
import * as Migrations from "../layers/database/Migrations.ts"
import type { Prepared } from "../layers/database/Prepared.ts"
import * as Storage from "../layers/server/Storage.ts"
import type * as Auth from "../src/auth/Settings.ts"
import type { MigrationFailed } from "../src/database/MigrationFailed.ts"
import * as Migrate from "./commands/Migrate.ts"
import * as Queue from "./commands/Queue.ts"
import * as Seed from "./commands/Seed.ts"
import * as Ship from "./commands/Ship.ts"
import { run } from "./Run.ts"
import * as Settings from "./Settings.ts"

const usage = `Usage: command NAME [OPTIONS]

  migrate   bring the schema up to date
  seed      add the demo's account and articles
  queue     send, list and retry queued mail
  ship      send the metrics to an OpenTelemetry collector

Each takes --help.`

const usages: Readonly<Record<string, string>> = {
  migrate: Migrate.usage,
  seed: Seed.usage,
  queue: Queue.usage,
  ship: Ship.usage
}

type OnDatabase = Effect.Effect<number, MigrationFailed | ConfigError.ConfigError, SqlClient.SqlClient | Prepared>

const onDatabase = (argv: ReadonlyArray<string>, auth: Auth.Values): Readonly<Record<string, OnDatabase>> => ({
  migrate: Migrate.migrate(argv),
  seed: Seed.seed(argv, auth),
  queue: Effect.zipRight(Migrations.run(), Queue.queue(argv))
})

const isHelp = (word: string | undefined): boolean => word === "--help" || word === "-h" || word === "help"

/** The command for these words; its exit status. Help needs no settings and opens nothing. */
export const command = Effect.fnUntraced(function* ([name, ...argv]: ReadonlyArray<string>) {
  const help = name === undefined ? undefined : usages[name]
  if (help !== undefined && isHelp(argv[0])) return yield* Effect.as(Console.log(help), 0)
  if (isHelp(name)) return yield* Effect.as(Console.log(usage), 0)
  if (help === undefined) return yield* Effect.as(Console.error(usage), 2)
  const { auth, database, server } = yield* Settings.config
  yield* Storage.prepare(server.storage)
  const work = onDatabase(argv, auth)[name ?? ""]
  if (work === undefined) return yield* Ship.ship(argv, server.storage)
  return yield* Effect.provide(work, Database.layer(database))
})

/** Runs the command as this process. */
export const runCommand = (argv: ReadonlyArray<string>): void =>
  run(Effect.map(command(argv), (status) => void (process.exitCode = status)))
