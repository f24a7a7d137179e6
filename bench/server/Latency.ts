// The time of a response at a fixed rate, beside Fastify with and without a logger and a histogram, and bare node:http.
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { secureHeaders } from "../../routes/http/internal/ResponseHeaders.ts"
import * as Built from "../Built.ts"
import * as Percentiles from "../Percentiles.ts"
import * as Load from "../Load.ts"
import { effort, type Options } from "../Options.ts"
import { median } from "../Rounds.ts"
import type { Row } from "../Row.ts"

const run = promisify(execFile)

export const load = "bench/load/FixedRate.mjs"

const generator = join(import.meta.dirname, "..", "load", "FixedRate.mjs")

let picture: string | undefined

/** The percentiles of the last run as a picture. */
export const write = (): void => {
  if (picture !== undefined) writeFileSync(Percentiles.path, picture)
}

/** The part of what our server can send at most. */
const share = 0.6

const ask = async (url: string, rate: number | "most", seconds: number): Promise<unknown> => {
  const args = [generator, url, String(rate), String(seconds), String(effort.connections)]
  return JSON.parse((await run(process.execPath, args, { maxBuffer: 2 ** 28 })).stdout)
}

/** The times of requests at this rate, sorted, in microseconds. */
const times = async (url: string, rate: number, seconds: number): Promise<ReadonlyArray<number>> =>
  (await ask(url, rate, seconds)) as ReadonlyArray<number>

export const measure = async ({ quick, rounds }: Options): Promise<ReadonlyArray<Row>> => {
  const program = await Built.bundle("bench/server/Program.ts")
  const storage = mkdtempSync(join(tmpdir(), "bench-latency-"))
  const { serve, stop } = Load.servers()
  try {
    const ours = await serve([program], { PORT: "0", STORAGE_DIR: storage })
    const env = { HEADERS: JSON.stringify(secureHeaders), LOG: join(storage, "fastify.log") }
    const here = (name: string) => serve([join(import.meta.dirname, name)], env)
    const [peer, fastify, bare] = [await here("FastifyLogged.mjs"), await here("Fastify.mjs"), await here("Bare.mjs")]
    const urls = {
      ours: `${ours.url}/hello`,
      peer: `${peer.url}/hello`,
      fastify: `${fastify.url}/hello`,
      bare: `${bare.url}/hello`
    }
    const names = ["ours", "peer", "fastify", "bare"] as const
    for (const url of Object.values(urls)) await Load.rate({ url }, { ...effort, seconds: 3 })
    // By the same generator: another one leaves more of the machine to the server.
    const rate = Math.floor(share * Number(await ask(urls.ours, "most", quick ? 1 : 5)))
    const none = (): Array<ReadonlyArray<number>> => []
    const taken = { ours: none(), peer: none(), fastify: none(), bare: none() }
    for (let round = 0; round < rounds("latency"); round++) {
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        taken[name].push(await times(urls[name], rate, quick ? 2 : 15))
      }
    }
    const of = (name: keyof typeof taken, part: number) => median(taken[name].map((all) => Percentiles.at(all, part)))
    const curve = (name: keyof typeof taken) => Percentiles.parts.map((part) => of(name, part) / 1000)
    picture = Percentiles.svg(`routed JSON, ${rate} requests a second`, {
      "effect-framework": curve("ours"),
      "Fastify with logger and histogram": curve("peer"),
      "Fastify without either": curve("fastify"),
      "bare node:http": curve("bare")
    })
    const [p99, peers] = [of("ours", 0.99) / 1000, of("peer", 0.99) / 1000]
    const [middle, rare] = [of("ours", 0.5) / 1000, of("ours", 0.999) / 1000]
    const row = { unit: "ms", better: "lower" } as const
    return [
      {
        ...row,
        subject: "p99 of routed JSON at 60 % of its saturation / Fastify with logger and histogram at the same rate",
        ours: p99,
        peer: peers,
        ratio: p99 / peers,
        bar: 1
      },
      { ...row, subject: "p99.9 of the same / its median", ours: rare, peer: middle, ratio: rare / middle, bar: 10 }
    ]
  } finally {
    await stop()
    rmSync(storage, { recursive: true, force: true })
  }
}
