// The command line of a program: it serves without arguments, and has the commands that its deployment needs.
import { Effect } from "effect"
import * as RunMain from "../layers/errors/RunMain.ts"
import { execute } from "./Execution.ts"
import type { Options } from "./Program.ts"

/**
 * Runs the program as this process. Without arguments it serves, with several `WORKERS` under a supervisor; its commands
 * are `migrate`, `queue`, `ship`, `keys`, `factors`, `log`, `export` and the program's own. A failed start is one line, with status 255.
 */
export const run = <E, E2 = never, E3 = never>(options: Options<E, E2, E3>): void =>
  RunMain.runMain(Effect.map(execute(options, process.argv.slice(2)), (status) => void (process.exitCode = status)))
