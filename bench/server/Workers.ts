// What a second worker costs beside its own requests: responses for each second of processor time.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import type { Options } from "../Options.ts"
import * as Rounds from "../Rounds.ts"
import type { Row } from "../Row.ts"
import { family, processorSeconds } from "./Process.ts"

const seconds = 2

const efficiency = async ({ pid, url }: Load.Server): Promise<number> => {
  const used = () => family(pid).reduce((sum, one) => sum + processorSeconds(one), 0)
  const before = used()
  const rate = await Load.rate({ url: `${url}/hello` }, { connections: 64, seconds })
  return (rate * seconds) / (used() - before)
}

export const measure = async ({ rounds }: Options): Promise<ReadonlyArray<Row>> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-workers-"))
  const program = await Built.bundle("bench/server/Fleet.ts")
  const serve = (workers: number) =>
    Load.serve([program], { PORT: "0", STORAGE_DIR: join(storage, String(workers)), WORKERS: String(workers) })
  const one = await serve(1)
  const two = await serve(2)
  try {
    const takes = { one: () => efficiency(one), two: () => efficiency(two) }
    await Rounds.take(takes, 1)
    const rates = await Rounds.take(takes, rounds("workers"))
    return [
      {
        subject: "responses for each second of processor time, two workers / one",
        ...Rounds.compared(rates, "two", "one"),
        unit: "responses per processor second",
        bar: 0.9
      }
    ]
  } finally {
    await Promise.all([one.stop(), two.stop()])
    rmSync(storage, { recursive: true, force: true })
  }
}
