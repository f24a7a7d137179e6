// Why the program did not start, in one line.
import { Schema } from "effect"
import { symbol } from "./internal/StartupLine.ts"

/** The program cannot start for a reason outside of it; `reason` is the whole line, empty when it was already printed. */
export class StartupError extends Schema.TaggedError<StartupError>("effect-framework/config/StartupError")(
  "StartupError",
  { reason: Schema.String, entry: Schema.optional(Schema.String) }
) {
  get [symbol](): string | true {
    return this.entry ?? true
  }
  override get message() {
    return this.reason
  }
}
