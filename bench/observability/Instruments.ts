// Instruments, exposition and merge against prom-client 15, each in processes of its own that take turns.
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import * as Built from "../Built.ts"
import { median } from "../Rounds.ts"
import type { Options } from "../Options.ts"
import type { Row } from "../Row.ts"

const subjects = [
  { key: "unlabelled", subject: "counter without labels", unit: "ns", scale: 1, bar: 1 },
  { key: "labelled", subject: "counter with labels, bound child", unit: "ns", scale: 1, bar: 50 },
  { key: "histogram", subject: "histogram with labels, bound child", unit: "ns", scale: 1, bar: 10 },
  { key: "exposition", subject: "exposition of 10,000 series", unit: "ms", scale: 1e6, bar: 5 },
  { key: "merge", subject: "merge of 16 x 1,000 series, parsing included", unit: "ms", scale: 1e6, bar: 1.5 }
] as const

type Times = Readonly<Record<string, number>>

const run = async (program: string): Promise<Times> => {
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  return JSON.parse(stdout)
}

export const measure = async ({ quick }: Options): Promise<ReadonlyArray<Row>> => {
  const program = await Built.bundle("bench/observability/Ours.ts")
  const ours: Array<Times> = []
  const peers: Array<Times> = []
  for (let round = 0; round < (quick ? 1 : 5); round++) {
    ours.push(await run(program))
    peers.push(await run(join(import.meta.dirname, "PromClient.mjs")))
  }
  return subjects.map(({ bar, key, scale, subject, unit }) => {
    const mine = median(ours.map((times) => times[key] ?? Number.NaN)) / scale
    const peer = median(peers.map((times) => times[key] ?? Number.NaN)) / scale
    return {
      subject: `${subject}: prom-client / ours`,
      ours: mine,
      peer,
      unit,
      ratio: peer / mine,
      bar,
      better: "higher"
    }
  })
}
