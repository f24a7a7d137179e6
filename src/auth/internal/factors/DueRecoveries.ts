// The worker that sends the second message of a recovery. A program without it offers no recovery.
import { Context, type Effect } from "effect"

/** Sends the links of recoveries that are ready. */
export class DueRecoveries extends Context.Tag("effect-framework/auth/DueRecoveries")<
  DueRecoveries,
  {
    /** Sends what is due; returns how many messages this worker has sent. */
    readonly sweep: Effect.Effect<number>
  }
>() {}
