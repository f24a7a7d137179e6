// Ends of real processes: which are a `Fatal`, in the log and in `exceptions_total`, and which are none.
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import * as Demo from "../support/Demo.ts"
import { eventually } from "../support/Eventually.ts"

const childrenOf = (pid: number): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(/\s+/).filter(Boolean).map(Number)

const logged = (storage: string): ReadonlyArray<Record<string, unknown>> => {
  try {
    const text = readFileSync(join(storage, "logs", "exceptions.log"), "utf8")
    return text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
  } catch {
    return []
  }
}

const fatals = (storage: string) =>
  logged(storage)
    .filter((line) => line["class"] === "Fatal")
    .map((line) => line["message"])

/** The series of `exceptions_total` as a scrape of the fleet gives them. */
const counts = (url: string) =>
  Effect.promise(async () => {
    const text = await (await fetch(`${url}/metrics`)).text()
    return text.split("\n").filter((line) => line.startsWith("exceptions_total"))
  })

const none = ["exceptions_total 0"]
const one = ["exceptions_total 1", 'exceptions_total{class="Fatal"} 1']

/** A request that never ends by itself: its body does not come. */
const hanging = (url: string) =>
  Effect.acquireRelease(
    Effect.async<{ readonly destroy: () => void }>((resume) => {
      const { hostname, port } = new URL(url)
      const head = `POST /login HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n`
      const socket = connect(Number(port), hostname, () => socket.write(`${head}Expect: 100-continue\r\n\r\n`))
      socket.on("error", () => undefined)
      // The leave to send the body: the request is on its way.
      socket.once("data", () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

describe("A Fatal", () => {
  it.scopedLive(
    "is a worker that was killed: one line of the log, and counted in the fleet",
    () =>
      Effect.gen(function* () {
        const demo = yield* Demo.demo({ WORKERS: "2" })
        expect(yield* counts(demo.url)).toEqual(none)
        const [victim = 0] = childrenOf(demo.pid)
        process.kill(victim, "SIGKILL")
        const lines = yield* eventually(
          Effect.sync(() => fatals(demo.storage)),
          (found) => found.length > 0
        )
        expect(lines).toEqual([expect.stringContaining(`Process ${victim} died (signal SIGKILL)`)])
        expect(yield* eventually(counts(demo.url), (found) => found.length > 1)).toEqual(one)
        demo.signal("SIGTERM")
        expect(yield* demo.ended).toEqual({ code: 0, signal: null })
        // Neither the stop of the fleet nor the next start adds to it.
        const next = yield* Demo.demo({ WORKERS: "2", STORAGE_DIR: demo.storage })
        expect(yield* counts(next.url)).toEqual(one)
        expect(fatals(demo.storage)).toHaveLength(1)
      }),
    240_000
  )

  it.scopedLive(
    "is not a worker that reported its own error: one line of the log, and one exception of the fleet",
    () =>
      Effect.gen(function* () {
        const preloaded = join(yield* Demo.folder, "throw.mjs")
        writeFileSync(preloaded, `process.on("SIGUSR2", () => { throw new RangeError("outside of every fiber") })`)
        const demo = yield* Demo.demo({ WORKERS: "2", NODE_OPTIONS: `--import=${preloaded}` })
        const [victim = 0] = childrenOf(demo.pid)
        process.kill(victim, "SIGUSR2")
        yield* eventually(
          Effect.sync(() => childrenOf(demo.pid)),
          (pids) => pids.length === 2 && !pids.includes(victim)
        )
        expect(logged(demo.storage).map((line) => line["class"])).toEqual(["RangeError"])
        yield* demo.says(new RegExp(`Process ${victim} died .*It has reported why, and is replaced`))
        // Standard error has JSON lines, and this error is one of them.
        const lines = demo
          .output()
          .stderr.trim()
          .split("\n")
          .map((line): Record<string, unknown> => JSON.parse(line))
        expect(lines.filter(({ level }) => level === "FATAL")).toEqual([
          expect.objectContaining({
            message: "An error was not caught",
            errors: [expect.objectContaining({ class: "RangeError", message: "outside of every fiber" })]
          })
        ])
        expect(yield* eventually(counts(demo.url), (found) => found.length > 1)).toEqual([
          "exceptions_total 1",
          'exceptions_total{class="RangeError"} 1'
        ])
        demo.signal("SIGTERM")
        expect(yield* demo.ended).toEqual({ code: 0, signal: null })
        expect(logged(demo.storage)).toHaveLength(1)
      }),
    240_000
  )

  it.scopedLive(
    "is not a worker that was told to stop, even when it had to cut a request off",
    () =>
      Effect.gen(function* () {
        const demo = yield* Demo.demo({ WORKERS: "2" })
        const before = childrenOf(demo.pid)
        // Enough that either worker has some: the kernel gives them out.
        yield* Effect.forEach(Array.from({ length: 8 }), () => hanging(demo.url))
        const [told = 0] = before
        process.kill(told, "SIGTERM")
        const after = yield* eventually(
          Effect.sync(() => childrenOf(demo.pid)),
          (pids) => pids.length === 2 && !pids.includes(told)
        )
        expect(after).toHaveLength(2)
        expect(yield* counts(demo.url)).toEqual(none)
        demo.signal("SIGTERM")
        expect(yield* demo.ended).toEqual({ code: 0, signal: null })
        expect(fatals(demo.storage)).toEqual([])
      }),
    240_000
  )

  it.scopedLive.each(["1", "2"])(
    "is the whole program that was killed with %s workers: the next start reports it, once",
    (workers) =>
      Effect.gen(function* () {
        const killed = yield* Demo.demo({ WORKERS: workers })
        expect(readdirSync(join(killed.storage, "runs"))).toHaveLength(1)
        killed.signal("SIGKILL")
        expect((yield* killed.ended).signal).toBe("SIGKILL")
        // Staging is not warned about the defaults of development.
        const env = { WORKERS: workers, STORAGE_DIR: killed.storage, FRAMEWORK_ENVIRONMENT: "staging" }
        const next = yield* Demo.demo(env)
        const message = `Process ${killed.pid} ended without a report: it was killed, ran out of memory, or the machine stopped.`
        const found = yield* eventually(
          Effect.sync(() => fatals(killed.storage)),
          (lines) => lines.length > 0
        )
        expect(found).toEqual([message])
        yield* next.says(/it was killed, ran out of memory, or the machine stopped\./)
        expect(next.output().stderr).toContain(message)
        expect(yield* eventually(counts(next.url), (lines) => lines.length > 1)).toEqual(one)
        next.signal("SIGTERM")
        expect((yield* next.ended).code).toBe(0)
        expect(readdirSync(join(killed.storage, "runs"))).toEqual([])
        const last = yield* Demo.demo(env)
        expect(last.output().stderr).toBe("")
        expect(fatals(killed.storage)).toEqual([message])
        expect(yield* counts(last.url)).toEqual(one)
      }),
    240_000
  )
})
