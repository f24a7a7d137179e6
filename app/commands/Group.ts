// A command that only has commands below it: alone it is a usage error.
import { Command, HelpDoc, ValidationError } from "@effect/cli"
import { Effect } from "effect"
import type { AnyCommand } from "../AnyCommand.ts"

/** A group of commands under one name. */
export const make = <Name extends string, const Commands extends readonly [AnyCommand, ...Array<AnyCommand>]>(
  name: Name,
  description: string,
  commands: Commands
) =>
  Command.make(name, {}, () => Effect.fail(ValidationError.missingSubcommand(HelpDoc.empty))).pipe(
    Command.withDescription(description),
    Command.withSubcommands(commands)
  )
