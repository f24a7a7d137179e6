// Runs a program of the demo: a failed start is one line, anything else a report, both with status 255.
import type { Effect } from "effect"
import * as UncaughtExit from "../layers/errors/UncaughtExit.ts"
import { line } from "../src/server/StartFailure.ts"

export const run = <A, E>(program: Effect.Effect<A, E>): void => UncaughtExit.run(program, { line })
