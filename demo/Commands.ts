// Selects a command: the first argument is its name, the others are its own.
import * as Migrate from "./commands/Migrate.ts"
import * as Queue from "./commands/Queue.ts"
import * as Seed from "./commands/Seed.ts"
import * as Ship from "./commands/Ship.ts"
import { runAsProcess, type Command, type Args } from "./commands/Command.ts"

export const usage = `Usage: command NAME [OPTIONS]

  migrate   bring the schema up to date
  seed      add the demo's account and articles
  queue     send, list and retry queued mail
  ship      send the metrics to an OpenTelemetry collector

Each takes --help.`

const commands: ReadonlyMap<string, Command> = new Map(
  Object.entries({ migrate: Migrate, seed: Seed, queue: Queue, ship: Ship })
)

const none: Command = { usage, parse: () => undefined }

/** The command and its arguments. */
export const select = (args: Args): readonly [Command, Args] => {
  const [name = "", ...rest] = args
  const command = commands.get(name)
  return command === undefined ? [none, args] : [command, rest]
}

/** Runs the command as this process. */
export const runCommand = (args: Args): void => runAsProcess(...select(args))
