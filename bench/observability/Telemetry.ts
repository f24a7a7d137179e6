// What counting costs a request: answers for each second of the processor, with telemetry and without.
import { existsSync, readFileSync } from "node:fs"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import type { Options } from "../Options.ts"
import type { Row } from "../Row.ts"

/** Seconds of the processor that a process has used; the clock where the system does not tell. */
const used = (pid: number): number => {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return performance.now() / 1000
  const stat = readFileSync(path, "utf8")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11]) + Number(fields[12])) / 100
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
    const rounds: Array<{ readonly mine: number; readonly without: number }> = []
    for (const server of [plain, counted]) await efficiency(server, 2)
    for (let round = 0; round < (quick ? 5 : 15); round++) {
      const without = await efficiency(plain, quick ? 1 : 2)
      rounds.push({ without, mine: await efficiency(counted, quick ? 1 : 2) })
    }
    const mine = Load.median(rounds.map((round) => round.mine))
    const without = Load.median(rounds.map((round) => round.without))
    // Each round is compared with itself: what else the machine does then hits both.
    const ratio = Load.median(rounds.map((round) => round.mine / round.without))
    return [
      {
        subject: "with telemetry / without",
        ours: mine,
        peer: without,
        unit: "answers per processor second",
        ratio,
        bar: 0.95,
        better: "higher"
      }
    ]
  } finally {
    await Promise.all([plain.stop(), counted.stop()])
  }
}
