// Runs a program of the demo: a failed start is one line, anything else a report, both with status 255.
import type { Effect } from "effect"
import * as RunMain from "../layers/errors/RunMain.ts"

export const run = <A, E>(program: Effect.Effect<A, E>): void => RunMain.runMain(program)
