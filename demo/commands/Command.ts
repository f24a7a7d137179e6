// A verb of the command line: what it says of itself, and the work that its words ask for.
import { type ConfigError, Console, Effect, Layer } from "effect"
import * as ProgramLog from "../../layers/observability/ProgramLog.ts"
import * as Storage from "../../layers/server/Storage.ts"
import type { InvalidAuthSettings } from "../../src/auth/AuthSettings.ts"
import type { DatabaseUnavailable } from "../../src/database/DatabaseUnavailable.ts"
import type { MigrationFailed } from "../../src/database/MigrationFailed.ts"
import type { NewerSchema } from "../../src/database/NewerSchema.ts"
import * as Environment from "../../src/errors/Environment.ts"
import type { InvalidInstrument } from "../../src/observability/Instrument.ts"
import type { EntityMismatch } from "../../src/pagination/EntityMismatch.ts"
import type { StartupError } from "../../src/server/StartupError.ts"
import { run } from "../Run.ts"
import * as Settings from "../Settings.ts"

export type Args = ReadonlyArray<string>

type Failure =
  | ConfigError.ConfigError
  | InvalidAuthSettings
  | DatabaseUnavailable
  | EntityMismatch
  | InvalidInstrument
  | MigrationFailed
  | NewerSchema
  | StartupError

/** Gives the exit status. */
export type Work = (settings: Settings.Settings) => Effect.Effect<number, Failure>

export interface Command {
  readonly usage: string
  /** Nothing for words that it does not know. */
  readonly parse: (words: Args) => Work | undefined
}

const asksForHelp = (words: Args): boolean => words[0] === "help" || words.includes("--help") || words.includes("-h")

const misunderstood = (words: Args, usage: string) =>
  Effect.as(Console.error(words.length === 0 ? usage : `Not understood: ${words.join(" ")}\n\n${usage}`), 2)

const log = ({ environment }: Settings.Settings) => Layer.provide(ProgramLog.layer, Environment.layerWith(environment))

/** The exit status of these words. Help and words that are not understood read no setting and open nothing. */
export const execute = ({ parse, usage }: Command, words: Args): Effect.Effect<number, Failure> =>
  Effect.gen(function* () {
    if (asksForHelp(words)) return yield* Effect.as(Console.log(usage), 0)
    const work = parse(words)
    if (work === undefined) return yield* misunderstood(words, usage)
    const settings = yield* Settings.config
    yield* Storage.prepare(settings.server.storage)
    return yield* Effect.provide(work(settings), log(settings))
  })

/** Performs it as this process. */
export const runAsProcess = (verb: Command, words: Args): void =>
  run(Effect.map(execute(verb, words), (status) => void (process.exitCode = status)))
