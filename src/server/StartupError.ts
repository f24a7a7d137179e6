// Why the program did not start, in one line.
import { ConfigError, Schema } from "effect"
import { InvalidAuthSettings } from "../auth/AuthSettings.ts"
import { DatabaseUnavailable } from "../database/DatabaseUnavailable.ts"
import { MigrationFailed } from "../database/MigrationFailed.ts"
import { NewerSchema } from "../database/NewerSchema.ts"
import { EntityMismatch } from "../pagination/EntityMismatch.ts"
import { MissingPackage } from "./OptionalPackage.ts"
import * as Setting from "./Setting.ts"

/** The program cannot start for a reason outside of it; `reason` is the whole line, empty when it was already printed. */
export class StartupError extends Schema.TaggedError<StartupError>("effect-framework/server/StartupError")(
  "StartupError",
  { reason: Schema.String }
) {
  override get message() {
    return this.reason
  }
}

const expected = [
  StartupError,
  InvalidAuthSettings,
  DatabaseUnavailable,
  MigrationFailed,
  MissingPackage,
  NewerSchema,
  EntityMismatch
]

/**
 * The line of a start that failed for a reason outside of the program, empty when a worker has printed it; `undefined`
 * for a mistake in the program.
 */
export const line = (thrown: unknown): string | undefined => {
  if (ConfigError.isConfigError(thrown)) return Setting.line(thrown)
  return expected.some((kind) => thrown instanceof kind) && thrown instanceof Error ? thrown.message : undefined
}
