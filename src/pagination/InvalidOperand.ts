// A filter, pattern or position whose operand is missing or of another type.
import { Schema } from "effect"

/**
 * A filter, pattern or position without an operand, or with one of another type. A mistake in the program: it is thrown
 * before there is a statement. The operand itself is not repeated, since it may be a secret.
 */
export class InvalidOperand extends Schema.TaggedError<InvalidOperand>("effect-framework/pagination/InvalidOperand")(
  "InvalidOperand",
  {
    table: Schema.String,
    column: Schema.String,
    /** The operator of a filter, or `match` or `seek`. */
    operator: Schema.String,
    expected: Schema.String,
    /** The type of what was given. */
    given: Schema.String
  }
) {
  override get message() {
    return `"${this.operator}" on ${this.table}.${this.column} needs ${this.expected}, and was given ${this.given}.`
  }
}
