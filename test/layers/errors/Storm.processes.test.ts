// A storm of exceptions on two workers with a collector; one worker is killed in the middle of it. `STORM_REQUESTS=10000`
// makes it a longer one than the suite has time for.
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { build } from "esbuild"
import { readdirSync, readFileSync } from "node:fs"
import * as Http from "node:http"
import { join } from "node:path"
import { inject } from "vitest"
import { options } from "../../../app/Bundle.ts"
import { folder, root, start } from "../../support/Demo.ts"
import { receiver } from "../../support/OtlpReceiver.ts"
import * as Throwables from "../../support/Throwables.ts"

const requests = Number(process.env["STORM_REQUESTS"] ?? 2000)
const clients = 16
const kinds = Throwables.all().length * 2

// A record is in the file a quarter of a second after its exception.
const bound = 250

interface Answer {
  readonly id: string
  readonly pid: number
  readonly sentAt: number
  readonly at: number
}

interface Line {
  readonly id: string
  readonly class: string
  readonly message: string
  readonly fingerprint: string
  readonly version: string
  readonly frames: ReadonlyArray<{ readonly file: string }>
}

const childrenOf = (pid: number): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(/\s+/).filter(Boolean).map(Number)

const linesOf = (storage: string): ReadonlyArray<Line> => {
  const logs = join(storage, "logs")
  const names = readdirSync(logs).filter((name) => /^exceptions\.log(?:\.\d+)?$/.test(name))
  const lines = names.flatMap((name) => readFileSync(join(logs, name), "utf8").split("\n"))
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line))
}

/** The text of a response and its socket; `undefined` when the connection broke. */
const ask = (url: string, agent: Http.Agent, headers = {}): Promise<{ text: string; socket: object } | undefined> =>
  new Promise((resolve) => {
    const request = Http.get(url, { agent, headers }, (response) => {
      const { socket } = response
      let text = ""
      response.setEncoding("utf8").on("data", (chunk) => (text += String(chunk)))
      response.once("error", () => resolve(undefined)).once("end", () => resolve({ text, socket }))
    })
    request.once("error", () => resolve(undefined))
  })

/** Sends its share of the requests over one connection after the other, each of which belongs to a worker. */
const client = async (url: string, next: () => number | undefined, answers: Array<Answer>): Promise<void> => {
  const agent = new Http.Agent({ keepAlive: true, maxSockets: 1 })
  let worker = await ask(`${url}/worker`, agent)
  for (let number = next(); number !== undefined; number = next()) {
    const id = `storm-${number}`
    const sentAt = performance.now()
    const headers = { "x-request-id": id, accept: "application/json" }
    const answer = await ask(`${url}/storm/${number % kinds}`, agent, headers)
    const isKnown = answer !== undefined && answer.socket === worker?.socket
    if (isKnown) answers.push({ id, pid: Number(worker?.text), sentAt, at: performance.now() })
    else worker = await ask(`${url}/worker`, agent)
  }
  agent.destroy()
}

/** The answers that came so long before this moment that their records are due. On a busy machine everything is late: the slowest one says how much. */
const dueAt = (answers: ReadonlyArray<Answer>, moment: number): ReadonlyArray<Answer> => {
  const before = answers.filter(({ at }) => at < moment)
  const slowest = Math.max(...before.map(({ at, sentAt }) => at - sentAt))
  return before.filter(({ at }) => at < moment - bound - slowest)
}

it.scopedLive(
  "loses no record older than a quarter of a second when a worker is killed, and repeats none",
  () =>
    Effect.gen(function* () {
      expect(kinds).toBeGreaterThanOrEqual(100)
      const collector = yield* receiver
      const storage = yield* folder
      const outdir = join(inject("demo"), "storm")
      const entry = "test/layers/errors/fixtures/Storm.ts"
      const shape = { outdir, logLevel: "error", outExtension: { ".js": ".mjs" } } as const
      yield* Effect.promise(() => build({ ...options(entry, root), ...shape }))
      const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: "100" }
      const program = join(outdir, "Storm.mjs")
      const fleet = yield* start([program], { PORT: "0", STORAGE_DIR: storage, WORKERS: "2", ...variables })
      const [, url = ""] = yield* fleet.says(/listening on (http:\/\/\S+)/)

      const answers: Array<Answer> = []
      const [victim = 0] = childrenOf(fleet.pid)
      const dueOfVictim = (moment: number) => dueAt(answers, moment).filter(({ pid }) => pid === victim)
      const enough = requests / 20

      let sent = 0
      let killedAt = Infinity
      let last = Infinity
      const next = (): number | undefined => {
        const isTime = sent >= requests / 2 && sent % 100 === 0 && killedAt === Infinity
        if (isTime && dueOfVictim(performance.now()).length > enough) {
          process.kill(victim, "SIGKILL")
          killedAt = performance.now()
          last = sent + requests / 2
        }
        return sent < Math.min(last, 20 * requests) ? sent++ : undefined
      }
      const shares = Array.from({ length: clients }, () => Effect.promise(() => client(url, next, answers)))
      yield* Effect.all(shares, { concurrency: "unbounded" })
      fleet.signal("SIGTERM")
      yield* fleet.ended

      expect(dueOfVictim(killedAt).length).toBeGreaterThan(enough)
      const survived = answers.filter(({ pid }) => pid !== victim)
      const due = [...survived, ...dueOfVictim(killedAt)].map(({ id }) => id)

      const lines = linesOf(storage).filter(({ id }) => id.startsWith("storm-"))
      const byId = new Map(lines.map((line) => [line.id, line]))
      expect(byId.size).toBe(lines.length)
      expect(due.filter((id) => !byId.has(id))).toEqual([])
      expect(lines.every(({ fingerprint }) => /^[0-9a-f]{16}$/.test(fingerprint))).toBe(true)
      const files = new Set(lines.flatMap(({ frames }) => frames.map(({ file }) => file)))
      expect(Array.from(files, (file) => file.replace(root, ""))).toContain("test/support/Throwables.ts")

      // Those of the killed worker that the collector has not got are the only ones.
      expect(collector.malformed).toEqual([])
      const exported = collector.logs.filter(({ attributes }) => String(attributes["request.id"]).startsWith("storm-"))
      const copies = exported.map(({ attributes, resource }) => ({
        pid: resource["process.pid"],
        id: attributes["request.id"],
        fingerprint: attributes["exception.fingerprint"]
      }))
      const expected = survived.map(({ id, pid }) => ({ pid, id, fingerprint: byId.get(id)?.fingerprint }))
      const sorted = <A extends { readonly id: unknown }>(given: ReadonlyArray<A>) =>
        given.toSorted((a, b) => String(a.id).localeCompare(String(b.id)))
      const known = new Set<unknown>(expected.map(({ id }) => id))
      expect(sorted(copies.filter(({ id, pid }) => pid !== victim && known.has(id)))).toEqual(sorted(expected))
    }),
  600_000
)
