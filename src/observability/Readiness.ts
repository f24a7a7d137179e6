// Whether the services that the process depends on respond.
import { Context, type Effect, Schema } from "effect"

/** A dependency does not respond. The reason is for the log only: it may contain host names. */
export class NotReady extends Schema.TaggedError<NotReady>("effect-framework/observability/NotReady")("NotReady", {
  part: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.part} is not ready: ${this.reason}`
  }
}

/** Fails with `NotReady` while a dependency does not respond. */
export class Readiness extends Context.Tag("effect-framework/observability/Readiness")<
  Readiness,
  {
    readonly check: Effect.Effect<void, NotReady>
    /** What it checks, for the list of all checks; `program` by default. */
    readonly part?: string
  }
>() {}
