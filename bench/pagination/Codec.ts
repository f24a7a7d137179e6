// What a cursor costs to write and to read.
import { Either } from "effect"
import * as Cursor from "../../src/pagination/Cursor.ts"
import type { Row } from "../Row.ts"

const values = ["2024-02-29T12:00:00.000001Z", 900_000]
const token = Either.getOrThrow(Cursor.encode(values))
const runs = 20_000
const rounds = 21

// Time of the processor, not of the clock: a busy machine must not look like a slow codec. The result is used, so that
// nothing is optimised away.
const once = (work: () => Either.Either<unknown, unknown>): number => {
  let done = 0
  const start = process.cpuUsage()
  for (let run = 0; run < runs; run++) if (Either.isRight(work())) done++
  const { system, user } = process.cpuUsage(start)
  return done === runs ? (system + user) / runs : Number.NaN
}

const microseconds = (work: () => Either.Either<unknown, unknown>): number => {
  const times = Array.from({ length: rounds }, () => once(work)).sort((a, b) => a - b)
  return times[Math.floor(rounds / 2)] ?? Number.NaN
}

const row = (subject: string, ours: number): Row => ({
  subject,
  ours,
  peer: undefined,
  unit: "µs",
  ratio: ours,
  bar: 2,
  better: "lower"
})

export const measure = async (): Promise<ReadonlyArray<Row>> => [
  row(
    "cursor: encode two values",
    microseconds(() => Cursor.encode(values))
  ),
  row(
    "cursor: decode two values",
    microseconds(() => Cursor.decode(token, 2))
  )
]
