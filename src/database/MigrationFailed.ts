// A schema that could not be brought up to date; the database keeps the one it had.
import { Schema } from "effect"

/** The schema could not be brought up to date; nothing of the failed migration stays. */
export class MigrationFailed extends Schema.TaggedError<MigrationFailed>("effect-framework/database/MigrationFailed")(
  "MigrationFailed",
  {
    /** Its number and name, such as `0003_trusts`; none when it did not come to one. */
    migration: Schema.optional(Schema.String),
    reason: Schema.String,
    cause: Schema.optional(Schema.Defect)
  }
) {
  override get message(): string {
    const subject = this.migration === undefined ? "The migrations" : `The migration ${this.migration}`
    return `${subject} failed, the schema is as it was: ${this.reason}`
  }
}
