import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Ref } from "effect"
import { readFileSync } from "node:fs"
import * as Http from "node:http"
import * as Demo from "../support/Demo.ts"
import { eventually } from "../support/Eventually.ts"

const childrenOf = (pid: number): ReadonlyArray<number> => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(/\s+/).filter(Boolean).map(Number)
  } catch {
    return []
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const path = "/assets/style.css"

/** So many connections that are kept, and no more. */
const connections = (count: number) =>
  Effect.acquireRelease(
    Effect.sync(() => new Http.Agent({ keepAlive: true, maxSockets: count })),
    (agent) => Effect.sync(() => agent.destroy())
  )

const status = (url: string, agent: Http.Agent): Effect.Effect<number, Error> =>
  Effect.async((resume) => {
    const lost = (error: Error) => resume(Effect.fail(error))
    const request = Http.get(url, { agent, timeout: 120_000 }, (answer) => {
      answer.once("error", lost).once("end", () => resume(Effect.succeed(answer.statusCode ?? 0)))
      answer.resume()
    })
    request.once("error", lost).once("timeout", () => request.destroy(new Error("hangs")))
  })

describe("the supervisor", () => {
  it.scopedLive(
    "loses only the requests that a killed worker held, says how it died, and replaces it",
    () =>
      Effect.gen(function* () {
        const demo = yield* Demo.demo({ WORKERS: "3" })
        const before = childrenOf(demo.pid)
        expect(before).toHaveLength(3)
        const clients = 8
        const rounds = 150
        const answered = yield* Ref.make(0)
        const lost = yield* Ref.make(0)
        const underway = yield* Deferred.make<void>()
        const agent = yield* connections(clients)
        const one = status(demo.url + path, agent).pipe(
          Effect.matchEffect({
            onSuccess: (status) =>
              Effect.zipRight(
                Effect.sync(() => expect(status).toBe(200)),
                Ref.updateAndGet(answered, (count) => count + 1)
              ),
            onFailure: () => Ref.updateAndGet(lost, (count) => count + 1)
          }),
          Effect.tap((count) => (count === 100 ? Deferred.succeed(underway, undefined) : Effect.void))
        )
        const storm = Effect.all(
          Array.from({ length: clients }, () => Effect.repeatN(one, rounds - 1)),
          { concurrency: "unbounded" }
        )
        const [victim = 0] = before
        const kill = Effect.zipRight(
          Deferred.await(underway),
          Effect.sync(() => process.kill(victim, "SIGKILL"))
        )
        yield* Effect.all([storm, kill], { concurrency: 2 })
        // A connection is lost once, with the request on it: no more than there are can be lost, and none hangs.
        expect(yield* Ref.get(lost)).toBeLessThanOrEqual(clients)
        expect((yield* Ref.get(answered)) + (yield* Ref.get(lost))).toBe(clients * rounds)
        yield* demo.says(new RegExp(`Process ${victim} died \\(signal SIGKILL\\)`))
        const after = yield* eventually(
          Effect.sync(() => childrenOf(demo.pid)),
          (pids) => pids.length === 3 && !pids.includes(victim)
        )
        expect(after.filter((pid) => before.includes(pid))).toHaveLength(2)
        demo.signal("SIGTERM")
        expect(yield* demo.ended).toEqual({ code: 0, signal: null })
        expect(after.filter(isAlive)).toEqual([])
      }),
    240_000
  )

  it.scopedLive(
    "takes its workers with it when it is killed itself",
    () =>
      Effect.gen(function* () {
        const demo = yield* Demo.demo({ WORKERS: "2" })
        const workers = childrenOf(demo.pid)
        expect(workers).toHaveLength(2)
        demo.signal("SIGKILL")
        expect((yield* demo.ended).signal).toBe("SIGKILL")
        const alive = Effect.sync(() => workers.filter(isAlive))
        expect(yield* eventually(alive, (pids) => pids.length === 0)).toEqual([])
      }),
    240_000
  )
})
