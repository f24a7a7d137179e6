// A database that cannot be used: one line at the start, a 503 response later.
import { Schema } from "effect"
import * as StartupLine from "../../config/internal/StartupLine.ts"

/** The database cannot be reached or opened: fails the start, and a request later on with 503. */
export class DatabaseUnavailable extends Schema.TaggedError<DatabaseUnavailable>(
  "effect-framework/database/DatabaseUnavailable"
)("DatabaseUnavailable", {
  /** What was to be opened, without its password. */
  database: Schema.String,
  reason: Schema.String
}) {
  get [StartupLine.symbol](): string {
    return "the-database"
  }
  override get message(): string {
    return `The database ${this.database} cannot be used: ${this.reason}`
  }
}
