// Why the program did not start, in one line.
import { Schema } from "effect"

export class StartFailure extends Schema.TaggedError<StartFailure>()("StartFailure", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}
