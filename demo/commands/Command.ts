// A command of the command line: its usage text, and how it parses its arguments.
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

/** Succeeds with the exit status. */
export type Work = (settings: Settings.Settings) => Effect.Effect<number, Failure>

export interface Command {
  readonly usage: string
  /** `undefined` for arguments that are not known. */
  readonly parse: (args: Args) => Work | undefined
}

const asksForHelp = (args: Args): boolean => args[0] === "help" || args.includes("--help") || args.includes("-h")

const usageError = (args: Args, usage: string) =>
  Effect.as(Console.error(args.length === 0 ? usage : `Unknown arguments: ${args.join(" ")}\n\n${usage}`), 2)

const log = ({ environment }: Settings.Settings) => Layer.provide(ProgramLog.layer, Environment.layerWith(environment))

/** The exit status. Help and unknown arguments read no setting and open nothing. */
export const execute = ({ parse, usage }: Command, args: Args): Effect.Effect<number, Failure> =>
  Effect.gen(function* () {
    if (asksForHelp(args)) return yield* Effect.as(Console.log(usage), 0)
    const work = parse(args)
    if (work === undefined) return yield* usageError(args, usage)
    const settings = yield* Settings.config
    yield* Storage.prepare(settings.server.storage)
    return yield* Effect.provide(work(settings), log(settings))
  })

/** Runs the command as this process. */
export const runAsProcess = (command: Command, args: Args): void =>
  run(Effect.map(execute(command, args), (status) => void (process.exitCode = status)))
