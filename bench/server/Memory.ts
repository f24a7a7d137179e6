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
import { build } from "./Start.ts"

const within = async <A>(program: string, use: (server: Load.Server) => Promise<A>): Promise<A> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-memory-"))
  const server = await Load.serve([program], { PORT: "0", STORAGE_DIR: storage })
  try {
    return await use(server)
  } finally {
    await server.stop()
    rmSync(storage, { recursive: true, force: true })
  }
}

/** MiB of the built demo, a second after its first response. */
const idle = (): Promise<number> =>
  within("dist/demo/main.js", async ({ pid, url }) => {
    await fetch(`${url}/health`).then((response) => response.text())
    await setTimeout(1000)
    return resident(pid)
  })

const afterResponses = async ({ pid, url }: Load.Server, count: number): Promise<number> => {
  const seconds = 5
  for (let done = 0; done < count;) done += seconds * (await Load.rate({ url: `${url}/hello` }, { ...effort, seconds }))
  await setTimeout(1000)
  return resident(pid)
}

export const measure = async ({ quick, rounds }: Options): Promise<ReadonlyArray<Row>> => {
  build()
  const starts: Array<number> = []
  for (let round = 0; round < rounds("start"); round++) starts.push(await idle())
  const memory = median(starts)
  const [before, after] = await within(await Built.bundle("bench/server/Program.ts"), async (server) => [
    await afterResponses(server, quick ? 10_000 : 100_000),
    await afterResponses(server, quick ? 20_000 : 1_000_000)
  ])
  const unit = "MiB"
  return [
    {
      subject: "memory of an idle worker",
      ours: memory,
      peer: undefined,
      unit,
      ratio: memory,
      bar: 85,
      better: "lower"
    },
    {
      subject: "memory after 1,000,000 responses / before",
      ours: after,
      peer: before,
      unit,
      ratio: after / before,
      bar: 1.1,
      better: "lower"
    }
  ]
}
