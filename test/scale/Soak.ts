// A load for a long time: the memory and the descriptors of every process stay flat.
import { Effect } from "effect"
import assert from "node:assert/strict"
import type { Process } from "../support/NodeProcess.ts"
import { processTree } from "../support/ProcessTree.ts"
import * as Load from "./Load.ts"
import type { Request } from "./Request.ts"
import * as ProcessUse from "./ProcessUse.ts"
import type { Site } from "./Site.ts"
import * as Trend from "./Trend.ts"

interface Watched {
  readonly name: string
  readonly pid: number
  readonly memory: Array<Trend.Reading>
  readonly descriptors: Array<Trend.Reading>
}

const sampleEvery = "5 seconds"

/** Growth of the second half that still counts as flat: a twentieth of the memory, and a twentieth of the descriptors. */
const flat = 0.05

const watched = (name: string, pid: number): Watched => ({ name, pid, memory: [], descriptors: [] })

const sample = (processes: ReadonlyArray<Watched>, minute: number): void => {
  for (const { descriptors, memory, pid } of processes) {
    memory.push({ minute, value: ProcessUse.memory(pid) })
    descriptors.push({ minute, value: ProcessUse.descriptors(pid) })
  }
}

const percent = (share: number): string => `${share < 0 ? "−" : "+"}${Math.abs(share * 100).toFixed(1)} %`

const range = (readings: ReadonlyArray<Trend.Reading>): string => {
  const values = readings.map(({ value }) => Math.round(value))
  return `${values[0] ?? 0} → ${values.at(-1) ?? 0}, at most ${Math.max(...values)}`
}

const row = ({ descriptors, memory, name }: Watched): string => {
  const [held, open] = [Trend.settled(memory), Trend.settled(descriptors)]
  return [
    name.padEnd(24),
    `memory ${range(memory)} MiB, second half ${percent(Trend.growth(held))}`,
    `descriptors ${range(open)}, ${percent(Trend.growth(open))}`
  ].join("  ")
}

const grows = ({ descriptors, memory }: Watched): boolean =>
  Trend.growth(Trend.settled(memory)) > flat || Trend.growth(Trend.settled(descriptors)) > flat

/** Runs for these minutes and prints a line in each; fails when a process has grown, ended, or a request has failed. */
export const soak = (
  site: Site,
  programs: ReadonlyArray<Process>,
  { minutes, pause }: Pick<Request, "minutes" | "pause">,
  print: (line: string) => Effect.Effect<void>
) =>
  Effect.gen(function* () {
    // Queued mail is sent meanwhile, on every machine.
    const mail = yield* Effect.forEach(site.machines, ({ command }) => command("queue", "run", "mail"))
    const load = yield* Load.start(site.url, { visitors: 4, pause })
    const trees = programs.flatMap(({ pid }, index) =>
      processTree(pid).map((process, child) => watched(`machine ${index + 1}, process ${child + 1}`, process))
    )
    const processes = [
      ...trees,
      ...mail.map(({ pid }, index) => watched(`mail worker ${index + 1}`, pid)),
      ...site.daemons.map(({ name, pid }) => watched(name, pid))
    ]
    const started = Date.now()
    const elapsed = () => (Date.now() - started) / 60_000
    for (let told = 0; elapsed() < minutes;) {
      sample(processes, elapsed())
      yield* Effect.sleep(sampleEvery)
      if (Math.floor(elapsed()) <= told) continue
      told = Math.floor(elapsed())
      const held = processes.reduce((sum, { memory }) => sum + (memory.at(-1)?.value ?? 0), 0)
      const open = processes.reduce((sum, { descriptors }) => sum + (descriptors.at(-1)?.value ?? 0), 0)
      const done = Load.summary(load.outcomes)
      yield* print(`minute ${told} of ${minutes}: ${done}; ${Math.round(held)} MiB and ${open} descriptors in all`)
    }
    yield* load.stop
    for (const process of processes) yield* print(row(process))
    assert.deepEqual(Load.failures(load.outcomes), [], "no request fails")
    const growing = processes.filter(grows).map(({ name }) => name)
    assert.deepEqual(growing, [], "memory and descriptors are flat")
    return `${minutes} minutes: ${load.outcomes.length} requests, memory and descriptors of ${processes.length} processes are flat`
  }).pipe(Effect.scoped)
