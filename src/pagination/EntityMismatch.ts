// An entity whose declaration differs from its table.
import { Schema } from "effect"
import * as StartupError from "../config/StartupError.ts"

/** The declaration of an entity does not fit its table. A list over it would lose rows or repeat them for ever. */
export class EntityMismatch extends Schema.TaggedError<EntityMismatch>("effect-framework/pagination/EntityMismatch")(
  "EntityMismatch",
  {
    table: Schema.String,
    /** The columns that differ, with what was declared and what the database has. */
    problems: Schema.Array(Schema.Struct({ column: Schema.String, declared: Schema.String, found: Schema.String }))
  }
) {
  get [StartupError.symbol](): true {
    return true
  }
  override get message() {
    const all = this.problems.map(
      ({ column, declared, found }) => `${column} is declared as ${declared}, found ${found}`
    )
    return `The entity does not fit the table ${this.table}: ${all.join("; ")}.`
  }
}
