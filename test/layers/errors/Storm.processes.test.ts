// A storm of exceptions on two workers, one of which is killed in the middle of it.
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import * as Http from "node:http"
import { join } from "node:path"
import { bundle } from "../../support/Bundle.ts"
import { folder, start } from "../../support/Demo.ts"
import { eventually } from "../../support/Eventually.ts"
import * as Throwables from "../../support/Throwables.ts"

const requests = 10_000
const clients = 32
// A record is in the file a quarter of a second after its exception.
const bound = 250

const childrenOf = (pid: number): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(/\s+/).filter(Boolean).map(Number)

/** When the response was there; `undefined` when the connection broke. */
const ask = (url: string, id: string, agent: Http.Agent): Promise<number | undefined> =>
  new Promise((resolve) => {
    const headers = { "x-request-id": id, accept: "application/json" }
    const request = Http.get(url, { agent, headers }, (response) => {
      response.once("error", () => resolve(undefined)).once("end", () => resolve(performance.now()))
      response.resume()
    })
    request.once("error", () => resolve(undefined))
  })

interface Line {
  readonly id: string
  readonly fingerprint: string
  readonly version: string
  readonly frames: ReadonlyArray<unknown>
}

const linesOf = (storage: string): ReadonlyArray<Line> => {
  const logs = join(storage, "logs")
  const names = readdirSync(logs).filter((name) => /^exceptions\.log(?:\.\d+)?$/.test(name))
  return names.flatMap((name) =>
    readFileSync(join(logs, name), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))
  )
}

it.scopedLive("loses no record older than a quarter of a second when a worker is killed, and repeats none", () =>
  Effect.gen(function* () {
    const storage = yield* folder
    const program = bundle("../layers/errors/fixtures/Storm.ts")
    const fleet = yield* start([program], { PORT: "0", STORAGE_DIR: storage, WORKERS: "2" })
    const [, url = ""] = yield* fleet.says(/listening on (http:\/\/\S+)/)
    const agent = yield* Effect.acquireRelease(
      Effect.sync(() => new Http.Agent({ keepAlive: true, maxSockets: clients })),
      (agent) => Effect.sync(() => agent.destroy())
    )
    const kinds = Throwables.all().length * 2
    expect(kinds).toBeGreaterThanOrEqual(100)
    const answered = new Map<string, number>()
    let next = 0
    let killedAt = Infinity
    const client = async (): Promise<void> => {
      while (next < requests) {
        const number = next++
        if (number === requests / 2) {
          process.kill(childrenOf(fleet.pid)[0] ?? 0, "SIGKILL")
          killedAt = performance.now()
        }
        const at = await ask(`${url}/storm/${number % kinds}`, `storm-${number}`, agent)
        if (at !== undefined) answered.set(`storm-${number}`, at)
      }
    }
    yield* Effect.promise(() => Promise.all(Array.from({ length: clients }, client)))
    const due = Array.from(answered).filter(([, at]) => at < killedAt - bound)
    const later = Array.from(answered).filter(([, at]) => at > killedAt)
    expect(due.length).toBeGreaterThan(requests / 10)
    const wanted = [...due, ...later].map(([id]) => id)
    const lines = yield* eventually(
      Effect.sync(() => linesOf(storage)),
      (lines) => {
        const ids = new Set(lines.map(({ id }) => id))
        return wanted.every((id) => ids.has(id))
      }
    )
    const storm = lines.filter(({ id }) => id.startsWith("storm-"))
    expect(new Set(storm.map(({ id }) => id)).size).toBe(storm.length)
    expect(storm.every(({ fingerprint, version }) => /^[0-9a-f]{16}$/.test(fingerprint) && version === "1.2.3")).toBe(
      true
    )
  })
)
