// The edge against bare node:http and Fastify.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { secureHeaders } from "../../routes/http/ResponseHeaders.ts"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import { effort, type Options } from "../Options.ts"
import { compared } from "../Rounds.ts"
import type { Row } from "../Row.ts"

const here = (name: string) => join(import.meta.dirname, name)

export const measure = async ({ rounds }: Options): Promise<ReadonlyArray<Row>> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-server-"))
  const program = await Built.bundle("bench/server/Program.ts")
  const ours = await Load.serve([program], { PORT: "0", STORAGE_DIR: storage })
  const bare = await Load.serve([here("Bare.mjs")])
  const headers = { HEADERS: JSON.stringify(secureHeaders) }
  const fastify = await Load.serve([here("Fastify.mjs")], headers)
  const logged = await Load.serve([here("FastifyLogged.mjs")], { ...headers, LOG: join(storage, "fastify.log") })
  try {
    const targets = {
      ours: { url: `${ours.url}/hello` },
      bare: { url: `${bare.url}/hello` },
      fastify: { url: `${fastify.url}/hello` },
      logged: { url: `${logged.url}/hello` },
      probe: { url: `${ours.url}/livez` },
      bareProbe: { url: `${bare.url}/livez` }
    }
    await Load.same(targets.probe, targets.bareProbe)
    const rates = await Load.alternate(targets, rounds("server"), effort)
    const row = (subject: string, mine: "ours" | "probe", peer: keyof typeof targets, bar: number): Row => ({
      subject,
      ...compared(rates, mine, peer),
      unit: "responses/s",
      bar
    })
    return [
      row("native probe / bare node:http, same bytes", "probe", "bareProbe", 0.95),
      row("routed JSON / bare node:http", "ours", "bare", 0.5),
      row("routed JSON / Fastify 5, same headers", "ours", "fastify", 0.62),
      row("routed JSON / Fastify 5, same headers, its logger and a duration histogram", "ours", "logged", 0.85)
    ]
  } finally {
    await Promise.all([ours.stop(), bare.stop(), fastify.stop(), logged.stop()])
    rmSync(storage, { recursive: true, force: true })
  }
}
