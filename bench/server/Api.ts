// An endpoint of an `HttpApi` on this server, against the same one on Effect's own.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import type { Options } from "../Options.ts"
import { compared } from "../Rounds.ts"
import type { Row } from "../Row.ts"

export const measure = async ({ quick }: Options): Promise<ReadonlyArray<Row>> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-api-"))
  const program = await Built.bundle("bench/server/ApiProgram.ts")
  const ours = await Load.serve([program], { PORT: "0", STORAGE_DIR: storage })
  const effect = await Load.serve([program], { SERVER: "effect" })
  try {
    const targets = { ours: { url: `${ours.url}/api/hello` }, effect: { url: `${effect.url}/api/hello` } }
    const rates = await Load.alternate(targets, quick ? 1 : 25, { connections: 32, seconds: 1 })
    const subject = "endpoint of an HttpApi / the same on Effect's own server"
    return [{ subject, ...compared(rates, "ours", "effect"), unit: "responses/s", bar: 2 }]
  } finally {
    await Promise.all([ours.stop(), effect.stop()])
    rmSync(storage, { recursive: true, force: true })
  }
}
