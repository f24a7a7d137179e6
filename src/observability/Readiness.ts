// Whether the process can do its work now, as told by what it stands on.
import { Context, type Effect, Schema } from "effect"

/** Something the program needs does not answer. The reason is for the log: it may name hosts. */
export class NotReady extends Schema.TaggedError<NotReady>("effect-framework/observability/NotReady")("NotReady", {
  part: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.part} is not ready: ${this.reason}`
  }
}

/** Fails with `NotReady` while something that the program stands on does not answer. */
export class Readiness extends Context.Tag("effect-framework/observability/Readiness")<
  Readiness,
  { readonly check: Effect.Effect<void, NotReady> }
>() {}
