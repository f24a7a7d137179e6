// The output and the exit status of a command.
import { type Console, Effect } from "effect"

export interface Printed {
  readonly status: number
  readonly out: string
  readonly error: string
}

/** Runs the command with a console that records its output. */
export const printed = <E, R>(command: Effect.Effect<number, E, R>): Effect.Effect<Printed, E, R> =>
  Effect.gen(function* () {
    const out: Array<string> = []
    const error: Array<string> = []
    const console: Console.Console = {
      ...(yield* Effect.console),
      log: (...words) => Effect.sync(() => void out.push(words.join(" "))),
      error: (...words) => Effect.sync(() => void error.push(words.join(" ")))
    }
    const status = yield* Effect.withConsole(command, console)
    return { status, out: out.join("\n"), error: error.join("\n") }
  })
