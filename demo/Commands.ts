// Which of the commands is meant: the first word names it, the others are for it.
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

const verbs: ReadonlyMap<string, Command> = new Map(
  Object.entries({ migrate: Migrate, seed: Seed, queue: Queue, ship: Ship })
)

const none: Command = { usage, parse: () => undefined }

/** The verb, and the words that are left for it. */
export const select = (words: Args): readonly [Command, Args] => {
  const [name = "", ...rest] = words
  const verb = verbs.get(name)
  return verb === undefined ? [none, words] : [verb, rest]
}

/** Performs the command as this process. */
export const runCommand = (words: Args): void => runAsProcess(...select(words))
