// The cost of telemetry: responses for each second of processor time, with telemetry and without.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import type { Options } from "../Options.ts"
import * as Rounds from "../Rounds.ts"
import type { Row } from "../Row.ts"

/** Seconds of the processor that all threads of a process have used; the clock where the system does not tell. */
const used = (pid: number): number => {
  const threads = `/proc/${pid}/task`
  if (!existsSync(threads)) return performance.now() / 1000
  const nanoseconds = (thread: string) => Number(readFileSync(`${threads}/${thread}/schedstat`, "utf8").split(" ")[0])
  return readdirSync(threads).reduce((sum, thread) => sum + nanoseconds(thread), 0) / 1e9
}

const efficiency = async (server: Load.Server, seconds: number): Promise<number> => {
  const before = used(server.pid)
  const rate = await Load.rate({ url: `${server.url}/hello` }, { connections: 32, seconds })
  return (rate * seconds) / (used(server.pid) - before)
}

export const measure = async ({ quick }: Options): Promise<ReadonlyArray<Row>> => {
  const program = await Built.bundle("bench/observability/Counted.ts")
  const plain = await Load.serve([program])
  const counted = await Load.serve([program], { TELEMETRY: "1" })
  try {
    for (const server of [plain, counted]) await efficiency(server, 1)
    // The difference is far below what a machine varies from one second to the next: only many rounds show it.
    const rates = await Rounds.take(
      { without: () => efficiency(plain, 1), ours: () => efficiency(counted, 1) },
      quick ? 3 : 60
    )
    return [
      {
        subject: "with telemetry / without",
        ...Rounds.compared(rates, "ours", "without"),
        unit: "responses per processor second",
        bar: 0.95
      }
    ]
  } finally {
    await Promise.all([plain.stop(), counted.stop()])
  }
}
