// The edge against bare node:http and Fastify, and the start of the built program.
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { secureHeaders } from "../../routes/http/ResponseHeaders.ts"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import type { Options } from "../Options.ts"
import { compared, median } from "../Rounds.ts"
import type { Row } from "../Row.ts"

const here = (name: string) => join(import.meta.dirname, name)

const throughput = async ({ quick }: Options): Promise<ReadonlyArray<Row>> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-server-"))
  const program = await Built.bundle("bench/server/Program.ts")
  const ours = await Load.serve([program], { PORT: "0", STORAGE_DIR: storage })
  const bare = await Load.serve([here("Bare.mjs")])
  const fastify = await Load.serve([here("Fastify.mjs")], { HEADERS: JSON.stringify(secureHeaders) })
  try {
    const rates = await Load.alternate(
      {
        ours: { url: `${ours.url}/hello` },
        bare: { url: `${bare.url}/hello` },
        fastify: { url: `${fastify.url}/hello` },
        probe: { url: `${ours.url}/livez` },
        bareProbe: { url: `${bare.url}/livez` }
      },
      quick ? 1 : 25,
      { connections: 32, seconds: 1 }
    )
    const row = (
      subject: string,
      mine: "ours" | "probe",
      peer: "bare" | "bareProbe" | "fastify",
      bar: number
    ): Row => ({
      subject,
      ...compared(rates, mine, peer),
      unit: "responses/s",
      bar
    })
    return [
      row("native probe / bare node:http, same bytes", "probe", "bareProbe", 0.95),
      row("routed JSON / bare node:http", "ours", "bare", 0.5),
      row("routed JSON / Fastify 5, same headers", "ours", "fastify", 0.6)
    ]
  } finally {
    await Promise.all([ours.stop(), bare.stop(), fastify.stop()])
    rmSync(storage, { recursive: true, force: true })
  }
}

const firstResponse = async (storage: string): Promise<{ readonly seconds: number; readonly memory: number }> => {
  const began = performance.now()
  const server = await Load.serve(["dist/demo/main.js"], { PORT: "0", STORAGE_DIR: storage })
  await fetch(`${server.url}/health`).then((response) => response.text())
  const seconds = (performance.now() - began) / 1000
  await setTimeout(1000)
  const status = existsSync(`/proc/${server.pid}/status`) ? readFileSync(`/proc/${server.pid}/status`, "utf8") : ""
  await server.stop()
  return { seconds, memory: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024 }
}

const start = async ({ quick }: Options): Promise<ReadonlyArray<Row>> => {
  execFileSync("npm", ["run", "--silent", "bundle"], { stdio: "inherit" })
  const storage = mkdtempSync(join(tmpdir(), "bench-start-"))
  try {
    // The first start migrates and seeds; those after it find a warm database.
    await firstResponse(storage)
    const starts: Array<Awaited<ReturnType<typeof firstResponse>>> = []
    for (let round = 0; round < (quick ? 1 : 7); round++) starts.push(await firstResponse(storage))
    const seconds = median(starts.map((one) => one.seconds))
    const memory = median(starts.map((one) => one.memory))
    return [
      {
        subject: "first response after the start",
        ours: seconds,
        peer: undefined,
        unit: "s",
        ratio: seconds,
        bar: 1,
        better: "lower"
      },
      {
        subject: "idle worker, resident",
        ours: memory,
        peer: undefined,
        unit: "MiB",
        ratio: memory,
        bar: undefined,
        better: "lower"
      }
    ]
  } finally {
    rmSync(storage, { recursive: true, force: true })
  }
}

export const measure = async (options: Options): Promise<ReadonlyArray<Row>> => [
  ...(await throughput(options)),
  ...(await start(options))
]
