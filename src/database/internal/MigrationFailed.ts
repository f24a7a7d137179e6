// A schema that could not be brought up to date; the database keeps the one it had.
import { Schema } from "effect"
import * as StartupLine from "../../config/internal/StartupLine.ts"
import { allowNewerVariable } from "./DatabaseConfig.ts"

/** The schema could not be brought up to date; the failed migration is rolled back. */
export class MigrationFailed extends Schema.TaggedError<MigrationFailed>("effect-framework/database/MigrationFailed")(
  "MigrationFailed",
  {
    /** Its number and name, such as `0003_trusts`; absent when none was reached. */
    migration: Schema.optional(Schema.String),
    reason: Schema.String,
    cause: Schema.optional(Schema.Defect)
  }
) {
  get [StartupLine.symbol](): string {
    return "a-migration"
  }
  override get message(): string {
    const subject = this.migration === undefined ? "The migrations" : `The migration ${this.migration}`
    return `${subject} failed, the schema is as it was: ${this.reason}`
  }
}

/** The database has migrations that this version of the program does not know. */
export class NewerSchema extends Schema.TaggedError<NewerSchema>("effect-framework/database/NewerSchema")(
  "NewerSchema",
  {
    /** Whose they are, their number and name, such as `framework 0008_audit`. */
    migrations: Schema.Array(Schema.String)
  }
) {
  get [StartupLine.symbol](): string {
    return "a-newer-schema"
  }
  override get message(): string {
    return (
      `The database was migrated by a newer version: it has ${this.migrations.join(", ")}, which this one does not know. ` +
      `Start the newer version, or set ${allowNewerVariable}=1 to run this one on the newer schema`
    )
  }
}
