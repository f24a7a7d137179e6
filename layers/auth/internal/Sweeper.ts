// Deletes expired rows every ten minutes while the program runs, and sends the notices that are due.
import { Effect, Layer, Schedule } from "effect"
import { AccountChanges } from "../../../src/auth/internal/AccountChanges.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import { LostFactorRequests } from "../../../src/auth/internal/LostFactorRequests.ts"
import { everyTenMinutes } from "../../../src/auth/internal/AccountWorkers.ts"
import { Notices } from "../../../src/auth/internal/Notices.ts"
import * as CronJob from "../../../src/jobs/CronJob.ts"
import { KeyRing } from "../../../src/session/internal/KeyRing.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { PendingSignIns } from "../../../src/auth/internal/PendingSignIns.ts"
import { ProviderFlows } from "../../../src/auth/internal/providers/ProviderFlows.ts"
import { RateLimit } from "../../../src/session/RateLimit.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Sessions } from "../../../src/session/Session.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Trust } from "../../../src/auth/Trust.ts"

/** Deletes the expired rows of every store; returns how many. A failing store is logged and does not stop the others. */
export const sweepAll = Effect.gen(function* () {
  const sweeps = [(yield* Tokens).sweep, (yield* Trust).sweep, (yield* Sessions).sweep, (yield* RateLimit).sweep]
  const others = [
    (yield* KeyRing).sweep,
    (yield* ApiTokens).sweep,
    (yield* AccountChanges).sweep,
    (yield* LostFactorRequests).sweep,
    (yield* Passkeys).sweep,
    (yield* PendingSignIns).sweep,
    (yield* ProviderFlows).sweep,
    (yield* SecurityEvents).sweep,
    (yield* Notices).sweep
  ]
  const counts = yield* Effect.forEach([...sweeps, ...others], (sweep) =>
    Effect.catchAllCause(sweep, (cause) => Effect.as(Effect.logWarning("A sweep failed", cause), 0))
  )
  return counts.reduce((total, count) => total + count, 0)
})

const work = Effect.gen(function* () {
  const { sendDue } = yield* Notices
  yield* Effect.catchAllCause(sendDue, (cause) => Effect.logWarning("Notices that are due were not sent", cause))
  yield* sweepAll
})

/** A periodic job of the program, for one that has a worker of jobs. */
export const layerJob = Layer.discard(CronJob.toLayer(everyTenMinutes("auth.sweep"), () => work))

// Jittered, so that workers that started together do not sweep together.
const schedule = Schedule.jittered(Schedule.spaced("10 minutes"))

/** For a program without jobs: sweeps about every ten minutes, at a different time in each worker. */
export const layer: Layer.Layer<never, never, Effect.Effect.Context<typeof work>> = Layer.scopedDiscard(
  Effect.forkScoped(Effect.schedule(work, schedule))
)
