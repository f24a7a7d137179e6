// The start of the built program, on an empty folder and on a database that is there.
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Load from "../Load.ts"
import type { Options } from "../Options.ts"
import { median } from "../Rounds.ts"
import type { Row } from "../Row.ts"

/** What `build` makes. */
export const demo = "dist/demo/main.js"

export const build = (): void => void execFileSync("npm", ["run", "--silent", "bundle"], { stdio: "inherit" })

/** Seconds from the start of a program to the end of its first response. */
const firstResponse = async (program: string, storage: string): Promise<number> => {
  const began = performance.now()
  const server = await Load.serve([program], { PORT: "0", STORAGE_DIR: storage })
  await fetch(`${server.url}/health`).then((response) => response.text())
  const seconds = (performance.now() - began) / 1000
  await server.stop()
  return seconds
}

export const measure = async ({ rounds }: Options): Promise<ReadonlyArray<Row>> => {
  build()
  const folder = mkdtempSync(join(tmpdir(), "bench-start-"))
  try {
    // The first start reads the program from the disk.
    await firstResponse(demo, join(folder, "first"))
    const cold: Array<number> = []
    const warm: Array<number> = []
    const bare: Array<number> = []
    for (let round = 0; round < rounds("start"); round++) {
      const storage = join(folder, String(round))
      cold.push(await firstResponse(demo, storage))
      warm.push(await firstResponse(demo, storage))
      bare.push(await firstResponse(join(import.meta.dirname, "Bare.mjs"), storage))
    }
    const row = (subject: string, seconds: number, bar: number): Row => ({
      subject,
      ours: seconds,
      peer: median(bare),
      unit: "s",
      ratio: seconds,
      bar,
      better: "lower"
    })
    return [
      row("first response after the start, cold database", median(cold), 1.5),
      row("first response after the start, migrated database", median(warm), 1)
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
