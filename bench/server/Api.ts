// An endpoint of an `HttpApi` on this server, against the same one on Effect's own; and a signed-in read by bearer and by cookie.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import { effort, type Options } from "../Options.ts"
import { compared } from "../Rounds.ts"
import type { Row } from "../Row.ts"
import * as Visit from "../auth/Visit.ts"

export const measure = async ({ rounds }: Options): Promise<ReadonlyArray<Row>> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-api-"))
  const program = await Built.bundle("bench/server/ApiProgram.ts")
  const servers = Load.servers()
  const serve = async (name: string, env: Readonly<Record<string, string>> = {}) => {
    const { url } = await servers.serve([program], { PORT: "0", STORAGE_DIR: join(storage, name), ...env })
    return url
  }
  const log = { ACCESS_LOG: "true" }
  const peer = { SERVER: "effect" }
  try {
    const accounts = await serve("accounts")
    const { bearer, cookie } = await Visit.signUpBoth(accounts)
    const token = await Visit.createToken(accounts, bearer, ["mine:read"])
    const targets = {
      // Each in a process of its own: other paths would change how the code of this one is compiled.
      ours: { url: `${await serve("ours")}/api/hello` },
      stock: { url: `${await serve("stock", { BUILDER: "effect" })}/api/hello` },
      effect: { url: `${await serve("effect", peer)}/api/hello` },
      oursLogged: { url: `${await serve("logged", log)}/api/hello` },
      effectLogged: { url: `${await serve("effect-logged", { ...peer, ...log })}/api/hello` },
      bearer: { url: `${accounts}/api/me`, headers: bearer },
      cookie: { url: `${accounts}/api/me`, headers: cookie },
      scopedToken: { url: `${accounts}/api/mine`, headers: token },
      scopedCookie: { url: `${accounts}/api/mine`, headers: cookie }
    }
    const rates = await Load.alternate(targets, rounds("api"), effort)
    const unit = "responses/s"
    return [
      {
        subject: "endpoint of an HttpApi / the same on Effect's own server",
        ...compared(rates, "ours", "effect"),
        unit,
        bar: 2
      },
      {
        subject: "the same, its handlers built by Effect on both servers",
        ...compared(rates, "stock", "effect"),
        unit,
        bar: undefined
      },
      {
        subject: "the same, each with the log of its requests",
        ...compared(rates, "oursLogged", "effectLogged"),
        unit,
        bar: undefined
      },
      {
        subject: "signed-in read of an HttpApi by bearer / by cookie",
        ...compared(rates, "bearer", "cookie"),
        unit,
        bar: 0.9
      },
      {
        subject: "signed-in read of an HttpApi by API token / by cookie",
        ...compared(rates, "scopedToken", "scopedCookie"),
        unit,
        bar: undefined
      }
    ]
  } finally {
    await servers.stop()
    rmSync(storage, { recursive: true, force: true })
  }
}
