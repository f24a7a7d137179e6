// The edge against bare node:http and Fastify.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { secureHeaders } from "../../routes/http/internal/ResponseHeaders.ts"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import { effort, type Options } from "../Options.ts"
import * as Rounds from "../Rounds.ts"
import type { Row } from "../Row.ts"

const here = (name: string) => join(import.meta.dirname, name)

const starts = 5

const targetsOf = (url: Readonly<Record<"ours" | "bare" | "fastify" | "logged", string>>) => ({
  ours: { url: `${url.ours}/hello` },
  bare: { url: `${url.bare}/hello` },
  fastify: { url: `${url.fastify}/hello` },
  logged: { url: `${url.logged}/hello` },
  probe: { url: `${url.ours}/livez` },
  bareProbe: { url: `${url.bare}/livez` }
})

type Name = keyof ReturnType<typeof targetsOf>

/** Other numbers of connections, with the bars of each. */
const others = [
  [1, 0.7],
  [4, 0.8],
  [256, 0.95]
] as const

const measureStart = async (
  program: string,
  rounds: number,
  connections: number = effort.connections
): Promise<Rounds.Rounds<Name>> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-server-"))
  const headers = { HEADERS: JSON.stringify(secureHeaders) }
  const { serve, stop } = Load.servers()
  try {
    const ours = await serve([program], { PORT: "0", STORAGE_DIR: storage })
    const bare = await serve([here("Bare.mjs")])
    const fastify = await serve([here("Fastify.mjs")], headers)
    const logged = await serve([here("FastifyLogged.mjs")], { ...headers, LOG: join(storage, "fastify.log") })
    const targets = targetsOf({ ours: ours.url, bare: bare.url, fastify: fastify.url, logged: logged.url })
    await Load.same(targets.probe, targets.bareProbe)
    return await Load.alternate(targets, rounds, { ...effort, connections })
  } finally {
    await stop()
    rmSync(storage, { recursive: true, force: true })
  }
}

export const measure = async ({ quick, rounds }: Options): Promise<ReadonlyArray<Row>> => {
  const program = await Built.bundle("bench/server/Program.ts")
  const times = quick ? 1 : starts
  const rates = await Rounds.ofStarts(times, () => measureStart(program, Math.ceil(rounds("server") / times)))
  const more: Array<Row> = []
  for (const [connections, bar] of others) {
    const found = await measureStart(program, quick ? 1 : 5, connections)
    const subject = `routed JSON / Fastify 5, same headers, ${connections} connection${connections === 1 ? "" : "s"}`
    more.push({ subject, ...Rounds.compared(found, "ours", "fastify"), unit: "responses/s", bar })
  }
  const row = (subject: string, mine: Name, peer: Name, bar: number): Row => ({
    subject,
    ...Rounds.compared(rates, mine, peer),
    unit: "responses/s",
    bar
  })
  return [
    row("native probe / bare node:http, same bytes", "probe", "bareProbe", 0.95),
    row("routed JSON / bare node:http", "ours", "bare", 0.75),
    row("routed JSON / Fastify 5, same headers", "ours", "fastify", 0.95),
    row("routed JSON / Fastify 5, same headers, its logger and a duration histogram", "ours", "logged", 0.95),
    ...more
  ]
}
