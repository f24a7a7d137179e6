// A database that a newer version of the program has migrated: an older one may misread or damage what it holds.
import { type Config, Schema } from "effect"
import * as Setting from "../server/Setting.ts"

/** The variable by which an operator lets an older version start on a newer schema. */
export const variable = "DATABASE_ALLOW_NEWER"

/** Whether an older version may start on a newer schema, from the environment. */
export const config: Config.Config<boolean> = Setting.flag(variable, false)

/** The database has migrations that this version of the program does not know. */
export class NewerSchema extends Schema.TaggedError<NewerSchema>("effect-framework/database/NewerSchema")(
  "NewerSchema",
  {
    /** Whose they are, their number and name, such as `framework 0008_audit`. */
    migrations: Schema.Array(Schema.String)
  }
) {
  override get message(): string {
    return (
      `The database was migrated by a newer version: it has ${this.migrations.join(", ")}, which this one does not know. ` +
      `Start the newer version, or set ${variable}=1 to run this one on the newer schema`
    )
  }
}
