// A schema that could not be brought up to date; the database keeps the one it had.
import { Schema } from "effect"
import * as StartupError from "../config/StartupError.ts"

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
  get [StartupError.symbol](): true {
    return true
  }
  override get message(): string {
    const subject = this.migration === undefined ? "The migrations" : `The migration ${this.migration}`
    return `${subject} failed, the schema is as it was: ${this.reason}`
  }
}
