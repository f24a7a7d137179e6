// The memory of a worker: idle, and after a million responses.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import { effort, type Options } from "../Options.ts"
import { median } from "../Rounds.ts"
import type { Row } from "../Row.ts"
import { resident } from "./Process.ts"
import { build, demo } from "./Start.ts"

// V8 gives back what a start or a load has needed in several steps, the last of them within two minutes of rest.
const rest = 120_000

const within = async <A>(
  args: ReadonlyArray<string>,
  use: (server: Load.Server, heap: string) => Promise<A>
): Promise<A> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-memory-"))
  const heap = join(storage, "heap")
  const server = await Load.serve(args, { PORT: "0", STORAGE_DIR: storage, BENCH_HEAP: heap })
  try {
    return await use(server, heap)
  } finally {
    await server.stop()
    rmSync(storage, { recursive: true, force: true })
  }
}

/** MiB of the built demo, a second after its first response and when it has rested. */
const idle = (): Promise<Readonly<Record<"started" | "rested", number>>> =>
  within([demo], async ({ pid, url }) => {
    await fetch(`${url}/health`).then((response) => response.text())
    await setTimeout(1000)
    const started = resident(pid)
    await setTimeout(rest)
    return { started, rested: resident(pid) }
  })

interface Held {
  /** MiB of objects that are still in use. */
  readonly heap: number
  readonly resident: number
}

const afterResponses = async ({ pid, url }: Load.Server, heap: string, count: number): Promise<Held> => {
  const seconds = 5
  for (let done = 0; done < count;) done += seconds * (await Load.rate({ url: `${url}/hello` }, { ...effort, seconds }))
  // Garbage that waits for the next collection is no growth.
  rmSync(heap, { force: true })
  process.kill(pid, "SIGUSR2")
  await setTimeout(rest)
  if (!existsSync(heap)) throw new Error("the program did not say how large its heap is")
  return { heap: Number(readFileSync(heap, "utf8")) / 2 ** 20, resident: resident(pid) }
}

export const measure = async ({ quick, rounds }: Options): Promise<ReadonlyArray<Row>> => {
  build()
  const starts = await Promise.all(Array.from({ length: rounds("start") }, idle))
  const started = median(starts.map((held) => held.started))
  const rested = median(starts.map((held) => held.rested))
  const program = await Built.bundle("bench/server/Program.ts")
  const [before, after] = await within(["--expose-gc", program], async (server, heap) => [
    await afterResponses(server, heap, quick ? 10_000 : 100_000),
    await afterResponses(server, heap, quick ? 20_000 : 1_000_000)
  ])
  const row = (subject: string, ours: number, bar?: number): Row => ({
    subject,
    ours,
    peer: undefined,
    unit: "MiB",
    ratio: ours,
    bar,
    better: "lower"
  })
  const grown = (subject: string, before: number, after: number): Row => ({
    ...row(subject, after, 1.05),
    peer: before,
    ratio: after / before
  })
  return [
    row("memory of an idle worker", rested, 85),
    row("the same, a second after its first response", started),
    grown("memory after 1,000,000 responses / before", before.resident, after.resident),
    grown("live heap after 1,000,000 responses / before", before.heap, after.heap)
  ]
}
