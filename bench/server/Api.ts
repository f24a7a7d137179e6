// An endpoint of an `HttpApi` on this server, against the same one on Effect's own; and a signed-in read by bearer and by cookie.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import type { Options } from "../Options.ts"
import { compared } from "../Rounds.ts"
import type { Row } from "../Row.ts"
import * as Visit from "../auth/Visit.ts"

export const measure = async ({ quick }: Options): Promise<ReadonlyArray<Row>> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-api-"))
  const program = await Built.bundle("bench/server/ApiProgram.ts")
  const ours = await Load.serve([program], { PORT: "0", STORAGE_DIR: storage })
  const effect = await Load.serve([program], { SERVER: "effect" })
  try {
    const { bearer, cookie } = await Visit.signUpBoth(ours.url)
    const targets = {
      ours: { url: `${ours.url}/api/hello` },
      effect: { url: `${effect.url}/api/hello` },
      bearer: { url: `${ours.url}/api/me`, headers: bearer },
      cookie: { url: `${ours.url}/api/me`, headers: cookie }
    }
    const rates = await Load.alternate(targets, quick ? 1 : 25, { connections: 32, seconds: 1 })
    const unit = "responses/s"
    const subject = "endpoint of an HttpApi / the same on Effect's own server"
    return [
      { subject, ...compared(rates, "ours", "effect"), unit, bar: 2 },
      {
        subject: "signed-in read of an HttpApi by bearer / by cookie",
        ...compared(rates, "bearer", "cookie"),
        unit,
        bar: 0.9
      }
    ]
  } finally {
    await Promise.all([ours.stop(), effect.stop()])
    rmSync(storage, { recursive: true, force: true })
  }
}
