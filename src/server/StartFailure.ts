// Why the program did not start, in one line.
import { Schema } from "effect"

/** The program cannot start for a reason outside of it; `reason` is the whole line. */
export class StartFailure extends Schema.TaggedError<StartFailure>()("StartFailure", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}
