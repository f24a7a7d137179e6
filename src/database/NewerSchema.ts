// A database that a newer version of the program has migrated: an older one may misread or damage what it holds.
import { Schema } from "effect"
import * as StartupError from "../config/StartupError.ts"
import { allowNewerVariable } from "./internal/DatabaseConfig.ts"

/** The database has migrations that this version of the program does not know. */
export class NewerSchema extends Schema.TaggedError<NewerSchema>("effect-framework/database/NewerSchema")(
  "NewerSchema",
  {
    /** Whose they are, their number and name, such as `framework 0008_audit`. */
    migrations: Schema.Array(Schema.String)
  }
) {
  get [StartupError.symbol](): true {
    return true
  }
  override get message(): string {
    return (
      `The database was migrated by a newer version: it has ${this.migrations.join(", ")}, which this one does not know. ` +
      `Start the newer version, or set ${allowNewerVariable}=1 to run this one on the newer schema`
    )
  }
}
