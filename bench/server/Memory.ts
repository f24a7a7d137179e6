// The memory of a worker: idle, and after a million responses.
import { mkdtempSync, rmSync } from "node:fs"
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

// V8 gives back what a start has needed when a process has done little for about half a minute.
const rest = 60_000

const within = async <A>(args: ReadonlyArray<string>, use: (server: Load.Server) => Promise<A>): Promise<A> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-memory-"))
  const server = await Load.serve(args, { PORT: "0", STORAGE_DIR: storage })
  try {
    return await use(server)
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

const afterResponses = async ({ pid, url }: Load.Server, count: number): Promise<number> => {
  const seconds = 5
  for (let done = 0; done < count;) done += seconds * (await Load.rate({ url: `${url}/hello` }, { ...effort, seconds }))
  // Garbage that waits for the next collection is no growth.
  await setTimeout(rest / 2)
  process.kill(pid, "SIGUSR2")
  await setTimeout(rest / 2)
  return resident(pid)
}

export const measure = async ({ quick, rounds }: Options): Promise<ReadonlyArray<Row>> => {
  build()
  const starts = await Promise.all(Array.from({ length: rounds("start") }, idle))
  const started = median(starts.map((held) => held.started))
  const rested = median(starts.map((held) => held.rested))
  const program = await Built.bundle("bench/server/Program.ts")
  const [before, after] = await within(["--expose-gc", program], async (server) => [
    await afterResponses(server, quick ? 10_000 : 100_000),
    await afterResponses(server, quick ? 20_000 : 1_000_000)
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
  return [
    row("memory of an idle worker", rested, 85),
    row("the same, a second after its first response", started),
    { ...row("memory after 1,000,000 responses / before", after, 1.1), peer: before, ratio: after / before }
  ]
}
