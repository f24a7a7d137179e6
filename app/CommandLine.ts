// Parses the arguments with `@effect/cli` and runs the command that they name.
import { type CliApp, CliConfig, Command, ValidationError } from "@effect/cli"
import { NodeContext } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import * as Doctor from "./commands/Doctor.ts"
import * as Errors from "./commands/Errors.ts"
import * as Export from "./commands/Export.ts"
import * as Factors from "./commands/Factors.ts"
import * as Keys from "./commands/Keys.ts"
import * as Running from "./commands/Running.ts"
import * as Queue from "./commands/Queue.ts"
import * as Ship from "./commands/Ship.ts"
import {
  type AnyCommand,
  CommandFailed,
  type Failure,
  type RunOnDatabase,
  type RunOnTables,
  type RunWork
} from "./commands/Work.ts"
import { configured } from "./Configured.ts"
import * as Help from "./Help.ts"
import type { SqlClient } from "@effect/sql"
import * as Database from "../layers/database/Database.ts"
import * as Migrations from "../layers/database/Migrations.ts"
import * as Tables from "../layers/database/Tables.ts"
import type { AppConfig } from "../layers/server/AppConfig.ts"
import type { DatabaseUnavailable } from "../src/database/internal/DatabaseUnavailable.ts"
import {
  type Command as OwnCommand,
  type CommandServices,
  CurrentConfig,
  type Options,
  type Program
} from "./Program.ts"
import { serve } from "./Serve.ts"

type Args = ReadonlyArray<string>

const environment = Layer.merge(NodeContext.layer, CliConfig.layer({ isCaseSensitive: true, showBuiltIns: false }))

/** The exit status: that of the command, 0 for help, 2 for unknown arguments. */
export const executeCommand = <E, E2, E3>(options: Options<E, E2, E3>, args: Args) =>
  Effect.gen(function* () {
    const console = yield* Effect.console
    const parse = yield* parser(options, console)
    const reasons: Array<string> = []
    return yield* parse(Help.isAsked(args) ? Help.request(args) : args).pipe(
      Effect.withConsole({
        ...console,
        log: (text: string) => console.log(Help.printable(text, process.stdout)),
        error: (text: string) => Effect.sync(() => void reasons.push(Help.printable(text)))
      }),
      Effect.as(0),
      Effect.catchAll((error) => {
        if (error instanceof CommandFailed) return Effect.succeed(error.status)
        if (!ValidationError.isValidationError(error)) return Effect.fail(error)
        const line = reasons.length === 0 ? [] : [`Unknown arguments: ${args.join(" ")}`, ...reasons, ""]
        const usage = parse(Help.request(args)).pipe(
          Effect.withConsole({
            ...console,
            log: (text: string) => console.error([...line, Help.printable(text, process.stderr)].join("\n"))
          })
        )
        return Effect.as(usage, 2)
      })
    )
  }).pipe(Effect.provide(environment))

type Parse<E> = (
  args: Args
) => Effect.Effect<void, E | Failure | ValidationError.ValidationError, CliApp.CliApp.Environment>

// The types of the program's own commands are those that `Options` states: `@effect/cli` erases them.
const parser = <E, E2, E3>(options: Options<E, E2, E3>, console: Console.Console): Effect.Effect<Parse<E | E2 | E3>> =>
  Effect.gen(function* () {
    const { app, commands = async () => [], name, version = "0.0.0" } = options
    const own = prepare(options, yield* Effect.promise(commands))
    const run: RunWork = (work) => finish(configured(options, work))
    const onDatabase: RunOnDatabase<E3> = (work) =>
      finish(configured(options, (settings) => Effect.provide(work(settings), connection(options, settings))))
    const onTables: RunOnTables<E3> = (work) =>
      onDatabase((settings) =>
        Effect.gen(function* () {
          const { tables = Tables.defaults } = yield* Effect.promise(app)
          yield* Migrations.run(undefined, { allowNewer: settings.allowNewerSchema, tables })
          return yield* work(settings, tables)
        })
      )
    const root = Command.make(name, {}, () => configured(options, (settings) => serve(settings, options))).pipe(
      Command.withDescription(Help.description),
      Command.withSubcommands([
        migrate(onDatabase, Effect.promise(app)),
        Doctor.command(finish, options, (settings) => connection(options, settings)),
        Queue.command(run, onTables, Effect.promise(app)),
        Ship.command(run),
        Keys.command(onTables),
        Factors.command(onTables),
        ...Running.commands(run),
        Errors.command(run),
        Export.command(onDatabase, Effect.promise(app)),
        ...own
      ]),
      // The parser's console is not that of the command.
      Command.transformHandler((handler) => Effect.withConsole(handler, console))
    )
    const parse = Command.run(root, { name, version, executable: name })
    return (args: Args) => parse(["", "", ...args])
  })

const applyMigrations = Effect.fnUntraced(function* <E>(
  { migrations = {}, tables = Tables.defaults }: Program<E>,
  allowNewer: boolean
) {
  const applied = yield* Migrations.run(migrations, { allowNewer, tables })
  for (const name of applied) yield* Console.log(`applied ${name}`)
  if (applied.length === 0) yield* Console.log("nothing to apply, the schema is up to date")
  return 0
})

// The `migrate` command.
const migrate = <E, E3>(run: RunOnDatabase<E3>, app: Effect.Effect<Program<E>>) =>
  Command.make("migrate", {}, () =>
    run(({ allowNewerSchema }) => Effect.flatMap(app, (loaded) => applyMigrations(loaded, allowNewerSchema)))
  ).pipe(Command.withDescription("apply the migrations that the database lacks; safe beside a running program"))

const finish = <E>(work: Effect.Effect<number, E>): Effect.Effect<void, E | CommandFailed> =>
  Effect.flatMap(work, (status) => (status === 0 ? Effect.void : new CommandFailed({ status })))

// The database that commands use: the program's own, or the one of `DATABASE_URL`.
const connection = <E, E2, E3>(
  { database }: Options<E, E2, E3>,
  settings: AppConfig
): Layer.Layer<SqlClient.SqlClient, E3 | DatabaseUnavailable> =>
  database === undefined ? Database.layer(settings.database, settings) : database(settings)

// The program's commands as they run: settings first, then the database and its migrations, then the command.
const prepare = <E, E2, E3>(
  options: Options<E, E2, E3>,
  commands: ReadonlyArray<OwnCommand<E2>>
): ReadonlyArray<AnyCommand> =>
  // A boundary of the type system: `Program` states of a command only what it reads.
  commands.map((command) =>
    Command.transformHandler(command as unknown as AnyCommand, (handler: Effect.Effect<void, E2, CommandServices>) =>
      configured(options, (settings) =>
        Effect.gen(function* () {
          const { migrations = {}, tables = Tables.defaults } = yield* Effect.promise(options.app)
          yield* Migrations.run(migrations, { allowNewer: settings.allowNewerSchema, tables })
          yield* handler
        }).pipe(Effect.provide(Layer.merge(connection(options, settings), Layer.succeed(CurrentConfig, settings))))
      )
    )
  )
