// What a command does once its arguments are understood, and a group of commands under one name.
import { Command, HelpDoc, ValidationError } from "@effect/cli"
import type { SqlClient } from "@effect/sql"
import { type ConfigError, Effect, Schema } from "effect"
import type * as Tables from "../../layers/database/Tables.ts"
import type { AppConfig } from "../../layers/server/AppConfig.ts"
import type { InvalidAuthConfig } from "../../src/auth/AuthConfig.ts"
import type { DatabaseUnavailable } from "../../src/database/internal/DatabaseUnavailable.ts"
import type { MigrationFailed, NewerSchema } from "../../src/database/internal/MigrationFailed.ts"
import type { EntityMismatch } from "../../src/pagination/Entity.ts"
import type { StartupError } from "../../src/config/StartupError.ts"

/** The command has printed why; only the exit status is left. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>("effect-framework/app/CommandFailed")(
  "CommandFailed",
  { status: Schema.Number }
) {}

/** What can go wrong before and in a command of the framework. */
export type Failure =
  | CommandFailed
  | ConfigError.ConfigError
  | DatabaseUnavailable
  | EntityMismatch
  | InvalidAuthConfig
  | MigrationFailed
  | NewerSchema
  | StartupError

/** Reads the settings, then runs the work, whose result is the exit status. */
export type RunWork = <E = never>(
  work: (settings: AppConfig) => Effect.Effect<number, E | Failure>
) => Effect.Effect<void, E | Failure>

/** The same for work on the database of the program. */
export type RunOnDatabase<E> = (
  work: (settings: AppConfig) => Effect.Effect<number, Failure, SqlClient.SqlClient>
) => Effect.Effect<void, E | Failure>

/** The same on the framework's tables, once their schema is up to date. */
export type RunOnTables<E> = (
  work: (settings: AppConfig, tables: Tables.Tables) => Effect.Effect<number, Failure, SqlClient.SqlClient>
) => Effect.Effect<void, E | Failure>

/** Any command, as `Command.withSubcommands` takes it. */
export type AnyCommand = Parameters<typeof Command.withSubcommands>[1][number]

/** Commands under one name, which alone is a usage error. */
export const group = <Name extends string, const Commands extends readonly [AnyCommand, ...Array<AnyCommand>]>(
  name: Name,
  description: string,
  commands: Commands
) =>
  Command.make(name, {}, () => Effect.fail(ValidationError.missingSubcommand(HelpDoc.empty))).pipe(
    Command.withDescription(description),
    Command.withSubcommands(commands)
  )
