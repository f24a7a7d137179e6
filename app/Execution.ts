// Executes a program with its arguments; the result is the exit status.
import { Effect } from "effect"
import { configured } from "./Configured.ts"
import type { Options } from "./Program.ts"
import { serve } from "./Serve.ts"

/** Serves without arguments. Help and unknown arguments read no setting and open nothing. */
export const execute = <E, E2, E3>(options: Options<E, E2, E3>, args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    if (args.length === 0) return yield* configured(options, (settings) => serve(settings, options))
    // The parser takes 8 MiB and a fifth of the time in which the modules are loaded: a server does without it.
    const { executeCommand } = yield* Effect.promise(() => import("./CommandLine.ts"))
    return yield* executeCommand(options, args)
  })
