// The times of a periodic job: which of them are due after the last one, as a pure rule.
import { Context, Cron, Effect, Either, Layer } from "effect"
import type { NewJob } from "../Jobs.ts"

/** An expression in its time zone, or every multiple of an interval since the epoch. */
export type Rhythm =
  | { readonly _tag: "Cron"; readonly cron: Cron.Cron }
  | { readonly _tag: "Every"; readonly millis: number }

/** What happens to the ticks that nobody was there for. */
export type Missed = "last" | "none" | "all"

/** A periodic job as the worker knows it. */
export interface Periodic {
  readonly name: string
  readonly rhythm: Rhythm
  readonly missed: Missed
  readonly row: (at: number) => NewJob
}

/** Filled by the layers of periodic jobs, read by the worker. */
export class CronJobs extends Context.Tag("effect-framework/jobs/CronJobs")<
  CronJobs,
  { readonly add: (job: Periodic) => Effect.Effect<void>; readonly all: () => ReadonlyArray<Periodic> }
>() {}

/** No periodic jobs yet. */
export const layer: Layer.Layer<CronJobs> = Layer.sync(CronJobs, () => {
  const jobs: Array<Periodic> = []
  return { add: (job) => Effect.sync(() => void jobs.push(job)), all: () => jobs }
})

/** Whether an expression has a tick at all: no year has a 31 February, and looking for it throws. */
export const isPossible = (cron: Cron.Cron): boolean => Either.isRight(Either.try(() => Cron.next(cron, new Date(0))))

/** Ticks that are made up for at once after a long pause. */
export const mostMissed = 100

const aMinute = 60_000

/** The first tick after this time, in milliseconds. */
export const next = (rhythm: Rhythm, after: number): number => {
  if (rhythm._tag === "Every") return (Math.floor(after / rhythm.millis) + 1) * rhythm.millis
  // In the hour that comes twice, the second time, it gives the ticks of the first: the next one is after that hour.
  for (let from = after, minute = Math.floor(after / aMinute) + 1; ; from = minute++ * aMinute - 1) {
    const at = Cron.next(rhythm.cron, new Date(from)).getTime()
    if (at > after) return at
  }
}

// A tick that is this late is still in time: processes check every second, and their clocks differ.
const grace = 15_000

/** The last hundred ticks after `last` up to `now`. A year of minutes is not walked: the window grows until it holds them. */
const latest = (rhythm: Rhythm, last: number, now: number): ReadonlyArray<number> => {
  for (let window = 3_600_000; ; window *= 8) {
    const start = Math.max(last, now - window)
    const ticks: Array<number> = []
    for (let at = next(rhythm, start); at <= now; at = next(rhythm, at)) ticks.push(at)
    if (start === last || ticks.length >= mostMissed) return ticks.slice(-mostMissed)
  }
}

/** The ticks after the last one up to now, oldest first, that a worker enqueues now. */
export const due = (rhythm: Rhythm, missed: Missed, last: number, now: number): ReadonlyArray<number> => {
  const ticks = latest(rhythm, last, now)
  if (missed === "all") return ticks
  const newest = ticks.slice(-1)
  return missed === "last" ? newest : newest.filter((at) => now - at <= grace)
}
