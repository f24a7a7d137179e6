// The processor time of a request, for the program and for everything around it. Processor time is the same on a busy
// machine, where requests for each second are not.
import { Effect } from "effect"
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import type { Process } from "../support/NodeProcess.ts"
import * as TestClient from "../../testing/TestClient.ts"
import * as People from "./People.ts"
import * as ProcessUse from "./ProcessUse.ts"
import type { Site } from "./Site.ts"

const concurrency = 8

/** Requests before those that are measured: until then the program interprets what it later runs as machine code. */
const warmUp = 6000

/** Prints the milliseconds of processor time of one request of each kind. */
export const figures = (site: Site, programs: ReadonlyArray<Process>, print: (line: string) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const { browser, email } = yield* People.registered(site.url)
    const postmaster = Number.parseInt(readFileSync(join(site.postgres.folder, "data", "postmaster.pid"), "utf8"))
    const parts = [
      ["program", programs.map(({ pid }) => pid)],
      ["PostgreSQL", [postmaster]],
      ...site.daemons.map(({ name, pid }) => [name, [pid]] as const)
    ] as const
    const used = () => parts.map(([, pids]) => pids.reduce((sum, pid) => sum + ProcessUse.processorTime(pid), 0))

    const measure = (
      name: string,
      { count, first }: { readonly first: number; readonly count: number },
      request: Effect.Effect<TestClient.TestResponse>,
      status: number
    ) =>
      Effect.gen(function* () {
        const repeated = (times: number) =>
          Effect.forEach(
            Array.from({ length: times }),
            () => Effect.map(request, (response) => assert.equal(response.status, status, name)),
            { concurrency, discard: true }
          )
        yield* repeated(first)
        const before = used()
        yield* repeated(count)
        const after = used()
        const times = parts.map(([part], index) => {
          const each = ((after[index] ?? 0) - (before[index] ?? 0)) / count
          return `${part} ${each.toFixed(2)} ms`
        })
        yield* print(`${name.padEnd(28)} ${times.join(", ")}`)
      })

    const signIn = Effect.suspend(() =>
      TestClient.make(site.url).submit("/login", { email, password: People.password })
    )
    const reads = { first: warmUp, count: 1500 }
    yield* print(`${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, Node ${process.version}`)
    yield* measure("GET /csrf, signed in", reads, browser.get("/csrf"), 200)
    yield* measure("GET /account, signed in", reads, browser.get("/account"), 200)
    yield* measure("GET /articles?limit=10", reads, TestClient.make(site.url).get("/articles?limit=10"), 200)
    yield* measure("GET /csrf and POST /login", { first: 5, count: 20 }, signIn, 303)
    return "milliseconds of processor time for one request"
  })
