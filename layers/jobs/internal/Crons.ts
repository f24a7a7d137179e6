// Enqueues the ticks of periodic jobs: every process looks, and the first one stores a tick.
import { Clock, Effect, Option } from "effect"
import { JobStore } from "../../../src/jobs/internal/JobStore.ts"
import { CronJobs, due, next, type Periodic } from "../../../src/jobs/internal/Ticks.ts"

// The clock of the machine may be set while a process sleeps.
const longest = Effect.withClock(Effect.sleep("10 seconds"), Clock.make())

const enqueueDue = (job: Periodic, last: Map<string, number>) =>
  Effect.gen(function* () {
    const store = yield* JobStore
    const now = yield* Clock.currentTimeMillis
    const known = last.get(job.name)
    // The next tick is not there yet, whatever others have stored meanwhile.
    if (known !== undefined && due(job.rhythm, "all", known, now).length === 0) return
    const stored = yield* store.lastTick(job.name)
    if (Option.isNone(stored)) {
      // A new job begins with its next tick; this mark says from when.
      yield* store.tick(job.name, now, [])
      last.set(job.name, now)
      return
    }
    const ticks = due(job.rhythm, job.missed, stored.value, now)
    for (const at of ticks) yield* store.tick(job.name, at, [job.row(at)])
    const newest = due(job.rhythm, "all", stored.value, now).at(-1)
    // What was missed on purpose is over, too.
    if (newest !== undefined && ticks.length === 0) yield* store.tick(job.name, newest, [])
    last.set(job.name, newest ?? stored.value)
  })

/** One look at all of them, and the looks after it: at the next tick of any of them, for ever. */
export const make = Effect.gen(function* () {
  const { all } = yield* CronJobs
  const last = new Map<string, number>()
  const round = Effect.suspend(() => Effect.forEach(all(), (job) => enqueueDue(job, last), { discard: true })).pipe(
    Effect.catchAllCause((cause) => Effect.logError("Periodic jobs cannot be enqueued", cause)),
    Effect.withTracerEnabled(false)
  )
  const sleep = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const nearest = Math.min(...all().map(({ rhythm }) => next(rhythm, now)))
    yield* all().length === 0 ? longest : Effect.race(Effect.sleep(nearest - now), longest)
  })
  return { round, rest: Effect.forever(Effect.zipRight(sleep, round)) }
})
