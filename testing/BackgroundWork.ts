// Work that runs after responses, for a test that waits for it.
import { Context, type Effect } from "effect"

/** The work that runs after responses. `TestApp` provides it. */
export class BackgroundWork extends Context.Tag("effect-framework/testing/BackgroundWork")<
  BackgroundWork,
  {
    /** Waits until no work is running. */
    readonly idle: Effect.Effect<void>
  }
>() {}
