// The program's own commands: each runs with the settings and on the migrated database.
import { Command } from "@effect/cli"
import { Effect, Layer } from "effect"
import * as Migrations from "../../layers/database/Migrations.ts"
import * as Tables from "../../layers/database/Tables.ts"
import { configured } from "../Configured.ts"
import * as Connection from "../Connection.ts"
import type { AnyCommand } from "../AnyCommand.ts"
import { CurrentConfig, type Command as OwnCommand, type CommandServices, type Options } from "../Program.ts"

/** The commands as they run: settings first, then the database and its migrations, then the command. */
export const prepare = <E, E2, E3>(
  options: Options<E, E2, E3>,
  commands: ReadonlyArray<OwnCommand<E2>>
): ReadonlyArray<AnyCommand> =>
  commands.map((command: AnyCommand) =>
    Command.transformHandler(command, (handler: Effect.Effect<void, E2, CommandServices>) =>
      configured(options, (settings) =>
        Effect.gen(function* () {
          const { migrations = {}, tables = Tables.defaults } = yield* Effect.promise(options.app)
          yield* Migrations.run(migrations, { allowNewer: settings.allowNewerSchema, tables })
          yield* handler
        }).pipe(
          Effect.provide(Layer.merge(Connection.layer(options, settings), Layer.succeed(CurrentConfig, settings)))
        )
      )
    )
  )
