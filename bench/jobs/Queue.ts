// The queue of jobs beside graphile-worker and pg-boss on one PostgreSQL, and beside a loop by hand on SQLite.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import { effort, type Options } from "../Options.ts"
import * as Percentiles from "../Percentiles.ts"
import * as Postgres from "../Postgres.ts"
import { compared, take } from "../Rounds.ts"
import type { Row } from "../Row.ts"
import { type Child, children } from "./Child.ts"

const here = (name: string) => join(import.meta.dirname, name)

type Moments = ReadonlyArray<readonly [number: number, at: number]>

const p99 = (times: ReadonlyArray<number>): number =>
  Percentiles.at(
    times.toSorted((a, b) => a - b),
    0.99
  )

/** From before the call of `enqueue` until the handler begins, 99 of 100; the worker does nothing else. */
const wakeUp = async (asking: Child, working: Child, times: number): Promise<number> => {
  await working.ask("work")
  const once = async (count: number) => {
    const asked = await asking.ask<Moments>("ask", count)
    await setTimeout(1500)
    const begun = new Map(await working.ask<Moments>("begun"))
    return asked.map(([number, at]) => (begun.get(number) ?? Number.POSITIVE_INFINITY) - at)
  }
  await once(50)
  return p99(await once(times))
}

/** The percentage of a core that a worker without jobs uses. */
const idle = async (worker: Child, seconds: number): Promise<number> => {
  await setTimeout(2000)
  const before = worker.used()
  await setTimeout(seconds * 1000)
  return (100 * (worker.used() - before)) / seconds
}

const single = (subject: string, ours: number, unit: string, bar: number): Row => ({
  subject,
  ours,
  peer: undefined,
  unit,
  ratio: ours,
  bar,
  better: "lower"
})

const over = (subject: string, ours: number, peer: number, unit: string, bar?: number): Row => ({
  subject,
  ours,
  peer,
  unit,
  ratio: ours / peer,
  bar,
  better: "lower"
})

export const measure = async ({ quick, rounds }: Options): Promise<ReadonlyArray<Row>> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-jobs-"))
  const program = await Built.bundle("bench/jobs/OurJobs.ts")
  const servingProgram = await Built.bundle("bench/jobs/ServingProgram.ts")
  // A queue lives by rows that are changed and deleted: every one of them leans on the cleaner.
  const postgres = await Postgres.start(["autovacuum=on", "autovacuum_naptime=5s"])
  const file = `file:${join(storage, "jobs.sqlite")}`
  const { start, stop } = children()
  const { serve, stop: stopServing } = Load.servers()
  const on = (DATABASE_URL: string) => ({ DATABASE_URL })
  try {
    const address = await postgres.create("ours")
    const [ours, file1] = [await start(program, on(address)), await start(program, on(file))]
    const graphile = await start(here("Graphile.mjs"), on(await postgres.create("graphile")))
    const batches = await start(here("Graphile.mjs"), { ...on(await postgres.create("batches")), BATCHES: "1" })
    const boss = await start(here("PgBoss.mjs"), on(await postgres.create("boss")))
    const [hand, handFile] = [
      await start(here("HandWritten.mjs"), on(address)),
      await start(here("HandWritten.mjs"), on(file))
    ]

    const count = quick ? 2000 : 10_000
    const runs = (child: Child) => () => child.ask<number>("jobs", count)
    const takes = {
      ours: runs(ours),
      graphile: runs(graphile),
      batches: runs(batches),
      boss: runs(boss),
      file: runs(file1),
      handFile: runs(handFile)
    }
    for (const warm of Object.values(takes)) await warm()
    const rates = await take(takes, rounds("jobs"))

    const inserts = (child: Child) => () => child.ask<number>("insert", count)
    const insertTakes = {
      ours: inserts(ours),
      hand: inserts(hand),
      file: inserts(file1),
      handFile: inserts(handFile)
    }
    for (const warm of Object.values(insertTakes)) await warm()
    const inserted = await take(insertTakes, rounds("jobs"))

    // Workers of their own, which nothing has disturbed: they wait from now on.
    const times = quick ? 100 : 1000
    const [waking, wakingFile] = [await postgres.create("waking"), `file:${join(storage, "waking.sqlite")}`]
    const [alone, worker, workerFile] = [
      await start(program, on(await postgres.create("alone"))),
      await start(program, on(waking)),
      await start(program, on(wakingFile))
    ]
    const same = await wakeUp(alone, alone, times)
    const aloneFile = await start(program, on(`file:${join(storage, "alone.sqlite")}`))
    const sameFile = await wakeUp(aloneFile, aloneFile, times)
    const other = await wakeUp(await start(program, on(waking)), worker, times)
    await hand.ask("wakes", 50)
    const byHand = p99(await hand.ask<ReadonlyArray<number>>("wakes", times))
    const otherFile = await wakeUp(await start(program, on(wakingFile)), workerFile, times)
    const seconds = quick ? 5 : 60
    const [idleShare, idleFileShare] = [await idle(worker, seconds), await idle(workerFile, seconds)]

    const [few, many] = [
      await start(program, on(await postgres.create("few"))),
      await start(program, on(await postgres.create("many")))
    ]
    const claimed = quick ? 100 : 1000
    const waiting = quick ? 100_000 : 10_000_000
    await many.ask("fill", waiting)
    const claimTimes: { few: ReadonlyArray<number>; many: ReadonlyArray<number> } = { few: [], many: [] }
    for (let round = 0; round <= rounds("jobs"); round++) {
      await few.ask("fill", 24 * claimed)
      const [a, b] = [
        await few.ask<ReadonlyArray<number>>("claims", claimed),
        await many.ask<ReadonlyArray<number>>("claims", claimed)
      ]
      // The first round is the compiler's.
      if (round > 0) Object.assign(claimTimes, { few: [...claimTimes.few, ...a], many: [...claimTimes.many, ...b] })
    }

    const serving = async (name: string, jobs: number) => {
      const settings = { PORT: "0", STORAGE_DIR: join(storage, name), BENCH_JOBS: String(jobs), WORKERS: "1" }
      const { url } = await serve([servingProgram], { ...settings, ...on(await postgres.create(name)) })
      return { url: `${url}/hello` }
    }
    // More than are run while it lasts.
    const [full, without] = [await serving("full", 50_000), await serving("without", 0)]
    const served = await Load.alternate({ full, without }, rounds("jobs"), effort)

    const rate = (subject: string, name: keyof typeof takes, peer: keyof typeof takes, bar: number): Row => ({
      subject,
      ...compared(rates, name, peer),
      unit: "jobs/s",
      bar
    })
    const stored = (subject: string, name: keyof typeof insertTakes, peer: keyof typeof insertTakes): Row => ({
      subject,
      ...compared(inserted, name, peer),
      unit: "ms",
      better: "lower",
      bar: 1.3
    })
    const number = (value: number) => value.toLocaleString("en-GB")
    return [
      rate("empty jobs, 24 at once / graphile-worker 0.16, one by one", "ours", "graphile", 1),
      rate("empty jobs, 24 at once / pg-boss 10, one by one", "ours", "boss", 2),
      rate("empty jobs, 24 at once / graphile-worker 0.17 with its batches", "ours", "batches", 0.5),
      rate("empty jobs, 24 at once, SQLite / a loop by hand", "file", "handFile", 0.5),
      stored(`${number(count)} enqueued in one transaction, PostgreSQL / the bare insert`, "ours", "hand"),
      stored(`${number(count)} enqueued in one transaction, SQLite / the bare insert`, "file", "handFile"),
      single("wake-up in the same process, PostgreSQL, p99", same, "ms", 2),
      over("the same / an insert and a claim by hand after a rest, p99", same, byHand, "ms"),
      single("wake-up in the same process, SQLite, p99", sameFile, "ms", 2),
      single("wake-up in another process, PostgreSQL, p99", other, "ms", 10),
      single("wake-up in another process, SQLite, p99", otherFile, "ms", 60),
      single("a worker without jobs, PostgreSQL, of a core", idleShare, "%", 0.5),
      single("a worker without jobs, SQLite, of a core", idleFileShare, "%", 0.5),
      over(
        `claim of 24 with ${number(waiting)} waiting / with none besides, p99`,
        p99(claimTimes.many),
        p99(claimTimes.few),
        "ms",
        2
      ),
      {
        subject: "requests served beside full queues / without jobs",
        ...compared(served, "full", "without"),
        unit: "responses/s",
        bar: 0.9
      }
    ]
  } finally {
    await stopServing()
    await stop()
    await postgres.stop()
    rmSync(storage, { recursive: true, force: true })
  }
}
