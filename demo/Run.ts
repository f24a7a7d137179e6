// Runs a program of the demo: a failed start is one line, anything else a report, both with status 255.
import { ConfigError, type Effect } from "effect"
import * as UncaughtExit from "../layers/errors/UncaughtExit.ts"
import { DatabaseUnavailable } from "../src/database/DatabaseUnavailable.ts"
import { MigrationFailed } from "../src/database/MigrationFailed.ts"
import * as Setting from "../src/server/Setting.ts"
import { StartFailure } from "../src/server/StartFailure.ts"

const expected = [StartFailure, DatabaseUnavailable, MigrationFailed]

const line = (thrown: unknown): string | undefined => {
  if (ConfigError.isConfigError(thrown)) return Setting.line(thrown)
  return expected.some((kind) => thrown instanceof kind) && thrown instanceof Error ? thrown.message : undefined
}

export const run = <A, E>(program: Effect.Effect<A, E>): void => UncaughtExit.run(program, { line })
