// Workers of accounts: deletions that are due, and the second message after the loss of every factor. A program without
// them offers neither.
import { Context, type Effect, type Option, Schedule } from "effect"
import * as CronJob from "../../jobs/CronJob.ts"
import type { Hooks } from "./AccountHooks.ts"
import type { Profiles } from "../Profile.ts"

/** Deletes accounts that are due. */
export class DueDeletions extends Context.Tag("effect-framework/auth/DueDeletions")<
  DueDeletions,
  {
    /** Deletes the accounts whose deletion is due; returns how many this worker has deleted. */
    readonly sweep: Effect.Effect<number>
    /** What a deletion runs; a request compares them with its own. */
    readonly hooks: Hooks
    readonly profiles: Option.Option<Context.Tag.Service<Profiles>>
  }
>() {}

/** Sends the links of recoveries that are ready. */
export class DueLostFactorRequests extends Context.Tag("effect-framework/auth/DueLostFactorRequests")<
  DueLostFactorRequests,
  {
    /** Sends what is due; returns how many messages this worker has sent. */
    readonly sweep: Effect.Effect<number>
  }
>() {}

/** Work on accounts every ten minutes, once in the whole fleet, in a queue of its own. What a failure leaves is due again. */
export const everyTenMinutes = <const Name extends string>(name: Name): CronJob.CronJob<Name> =>
  CronJob.every(name, "10 minutes", { queue: "accounts", retry: Schedule.stop })
