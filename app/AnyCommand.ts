// The type of a command whose arguments do not matter.
import type { Command } from "@effect/cli"

/** Any command, as `Command.withSubcommands` takes it. */
export type AnyCommand = Parameters<typeof Command.withSubcommands>[1][number]
