// Workers that crash while the fleet starts, in a loop or at a reload; and what a running program can be asked for.
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Ref } from "effect"
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import * as Http from "node:http"
import { join } from "node:path"
import * as Control from "../../app/Control.ts"
import * as Demo from "../support/Demo.ts"
import { eventually } from "../support/Eventually.ts"

const childrenOf = (pid: number): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(/\s+/).filter(Boolean).map(Number)

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const get = (url: string, agent: Http.Agent): Effect.Effect<number, Error> =>
  Effect.async((resume) => {
    const lost = (error: Error) => resume(Effect.fail(error))
    const request = Http.get(url, { agent }, (answer) => {
      answer.once("error", lost).once("end", () => resume(Effect.succeed(answer.statusCode ?? 0)))
      answer.resume()
    })
    request.once("error", lost)
  })

const agent = (keepAlive: boolean) =>
  Effect.acquireRelease(
    Effect.sync(() => new Http.Agent({ keepAlive, maxSockets: 8 })),
    (made) => Effect.sync(() => made.destroy())
  )

/** A module that the supervisor, whose id is 0, and every worker load first. */
const preload = Effect.fnUntraced(function* (text: string) {
  const file = join(yield* Demo.folder, "preload.mjs")
  writeFileSync(
    file,
    `import cluster from "node:cluster"\nimport { existsSync } from "node:fs"\nconst id = cluster.worker?.id ?? 0\n${text}\n`
  )
  return { NODE_OPTIONS: `--import=${file}` }
})

const command = Effect.fnUntraced(function* (demo: Demo.Demo, ...words: ReadonlyArray<string>) {
  const ran = yield* Demo.start(Demo.command(...words), { STORAGE_DIR: demo.storage })
  const { code } = yield* ran.ended
  return { code, ...ran.output() }
})

const loading = (url: string, made: Http.Agent, failures: Ref.Ref<ReadonlyArray<string>>, count: Ref.Ref<number>) =>
  get(url, made).pipe(
    Effect.filterOrFail(
      (status) => status === 200,
      (status) => new Error(`status ${status}`)
    ),
    Effect.matchEffect({
      onSuccess: () => Ref.update(count, (sum) => sum + 1),
      onFailure: (error) => Ref.update(failures, (all) => [...all, error.message])
    }),
    Effect.forever
  )

describe("A fleet that starts", () => {
  it.scopedLive("keeps the workers that serve when another one crashes before it does, replaces it, and says why", () =>
    Effect.gen(function* () {
      const demo = yield* Demo.demo({ WORKERS: "3", ...(yield* preload("if (id === 2) process.exit(7)")) })
      yield* demo.says(/Process \d+ died \(exit code 7\)/)
      const workers = yield* eventually(
        Effect.sync(() => childrenOf(demo.pid)),
        ({ length }) => length === 3
      )
      expect(new Set(workers).size).toBe(3)
      expect((yield* Effect.promise(() => fetch(`${demo.url}/livez`))).status).toBe(200)
    })
  )

  it.scopedLive("serves with the worker that it has while the others crash in a loop, and says how long it waits", () =>
    Effect.gen(function* () {
      const demo = yield* Demo.demo({ WORKERS: "2", ...(yield* preload("if (id > 1) process.exit(7)")) })
      for (const delay of ["0.1", "0.2", "0.4", "0.8"]) {
        yield* demo.says(new RegExp(`ended before it served.*replacement starts in ${delay.replace(".", "\\.")} s`))
      }
      expect((yield* Effect.promise(() => fetch(`${demo.url}/livez`))).status).toBe(200)
      demo.signal("SIGTERM")
      expect(yield* demo.ended).toEqual({ code: 0, signal: null })
    })
  )

  it.scopedLive("says so when a worker that was stopped by hand is replaced", () =>
    Effect.gen(function* () {
      const demo = yield* Demo.demo({ WORKERS: "2" })
      const [victim = 0] = childrenOf(demo.pid)
      process.kill(victim, "SIGTERM")
      yield* demo.says(new RegExp(`Process ${victim} exited \\(exit code 0\\) and is replaced`))
      yield* eventually(
        Effect.sync(() => childrenOf(demo.pid)),
        (pids) => pids.length === 2 && !pids.includes(victim)
      )
    })
  )
})

describe("A reload", () => {
  it.scopedLive.each(["the signal", "the command"])("by %s restarts every worker, and no request fails", (kind) =>
    Effect.gen(function* () {
      const demo = yield* Demo.demo({ WORKERS: "3" })
      const before = childrenOf(demo.pid)
      const failures = yield* Ref.make<ReadonlyArray<string>>([])
      const count = yield* Ref.make(0)
      const url = `${demo.url}/assets/style.css`
      const agents = [yield* agent(true), yield* agent(false)]
      const load = yield* Effect.fork(
        Effect.all(
          agents.flatMap((made) => Array.from({ length: 2 }, () => loading(url, made, failures, count))),
          { concurrency: "unbounded" }
        )
      )
      const served = (least: number) => eventually(Ref.get(count), (sum) => sum >= least)
      yield* served(200)
      if (kind === "the signal") demo.signal("SIGHUP")
      else expect(yield* command(demo, "reload")).toMatchObject({ code: 0, stdout: "restarted 3 workers\n" })
      yield* demo.says(/Restarted 3 workers\./)
      yield* served((yield* Ref.get(count)) + 200)
      yield* Fiber.interrupt(load)
      expect(yield* Ref.get(failures)).toEqual([])
      const after = childrenOf(demo.pid)
      expect(after).toHaveLength(3)
      expect(after.filter((pid) => before.includes(pid))).toEqual([])
      expect(before.filter(isAlive)).toEqual([])
    })
  )

  it.scopedLive("stops when a new worker does not start: those before it go on serving", () =>
    Effect.gen(function* () {
      const flag = join(yield* Demo.folder, "broken")
      const broken = `if (existsSync(${JSON.stringify(flag)}) && id > 0) process.exit(9)`
      const demo = yield* Demo.demo({ WORKERS: "2", ...(yield* preload(broken)) })
      const before = childrenOf(demo.pid)
      writeFileSync(flag, "")
      const failed = yield* command(demo, "reload")
      expect(failed.code).toBe(1)
      expect(failed.stderr).toMatch(/^The reload has stopped: Process \d+ died \(exit code 9\)/)
      expect(childrenOf(demo.pid)).toEqual(before)
      expect((yield* Effect.promise(() => fetch(`${demo.url}/livez`))).status).toBe(200)
      rmSync(flag)
      expect((yield* command(demo, "reload")).code).toBe(0)
      expect(childrenOf(demo.pid).filter((pid) => before.includes(pid))).toEqual([])
    })
  )

  it.scopedLive("leaves as many workers as there were when one crashes while its successor starts", () =>
    Effect.gen(function* () {
      const slow = "if (id === 3) await new Promise((resume) => setTimeout(resume, 3000))"
      const demo = yield* Demo.demo({ WORKERS: "2", ...(yield* preload(slow)) })
      const [victim = 0] = childrenOf(demo.pid)
      const reloading = yield* Effect.fork(command(demo, "reload"))
      yield* demo.says(/Restarting 2 workers/)
      process.kill(victim, "SIGKILL")
      expect((yield* Fiber.join(reloading)).code).toBe(0)
      const after = yield* eventually(
        Effect.sync(() => childrenOf(demo.pid)),
        ({ length }) => length === 2
      )
      expect(after).not.toContain(victim)
    })
  )

  it.scopedLive("is refused by a single process, which does not end by the signal", () =>
    Effect.gen(function* () {
      const demo = yield* Demo.demo()
      demo.signal("SIGHUP")
      yield* demo.says(/This program has one process/)
      const refused = yield* command(demo, "reload")
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("WORKERS=2")])
      expect((yield* Effect.promise(() => fetch(`${demo.url}/livez`))).status).toBe(200)
      expect(yield* command({ ...demo, storage: yield* Demo.folder }, "reload")).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("no program that runs in")
      })
    })
  )
})

const profilesOf = ({ storage }: Demo.Demo) => readdirSync(join(storage, "profiles"))

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

describe.each([{ workers: "1" }, { workers: "2" }])("A running program with WORKERS=$workers", ({ workers }) => {
  it.scopedLive("writes a heap snapshot and a profile of one worker, one at a time, for its owner alone", () =>
    Effect.gen(function* () {
      const demo = yield* Demo.demo({ WORKERS: workers })
      const last = workers === "1" ? demo.pid : (childrenOf(demo.pid).at(-1) ?? 0)
      const heap = yield* command(demo, "heap", "--worker", String(last))
      expect(heap).toMatchObject({ code: 0, stdout: expect.stringContaining(`heap-${last}-`) })
      const path = heap.stdout.trim()
      expect([modeOf(path), modeOf(join(demo.storage, "profiles"))]).toEqual(["600", "700"])
      expect(JSON.parse(readFileSync(path, "utf8"))).toHaveProperty("snapshot.meta")

      const first = yield* Effect.fork(command(demo, "profile", "--seconds", "5"))
      yield* eventually(
        Effect.sync(() => profilesOf(demo)),
        (files) => files.some((file) => file.endsWith(".cpuprofile"))
      )
      // It goes on serving meanwhile, and takes no second one.
      expect((yield* Effect.promise(() => fetch(`${demo.url}/livez`))).status).toBe(200)
      expect(yield* Control.send(join(demo.storage, "control"), { kind: "heap" })).toEqual([
        { ok: false, text: "another one is being written" }
      ])
      const profile = yield* Fiber.join(first)
      expect(profile.code).toBe(0)
      expect(modeOf(profile.stdout.trim())).toBe("600")
      expect(JSON.parse(readFileSync(profile.stdout.trim(), "utf8"))).toHaveProperty("nodes")

      expect(yield* command(demo, "heap", "--worker", "1")).toMatchObject({
        code: 1,
        stderr: "no worker has the process id 1\n"
      })
      expect((yield* command(demo, "profile", "--seconds", "61")).code).toBe(2)
      expect(profilesOf(demo)).toHaveLength(2)
    })
  )
})

describe("A profile", () => {
  it.scopedLive("ends at once with the worker that it is of, and does not keep another one waiting", () =>
    Effect.gen(function* () {
      const demo = yield* Demo.demo({ WORKERS: "2" })
      const [victim = 0] = childrenOf(demo.pid)
      const profile = yield* Effect.fork(command(demo, "profile", "--seconds", "60", "--worker", String(victim)))
      yield* eventually(
        Effect.sync(() => existsSync(join(demo.storage, "profiles")) && profilesOf(demo).length > 0),
        (hasBegun) => hasBegun
      )
      process.kill(victim, "SIGKILL")
      const killed = Date.now()
      expect(yield* Fiber.join(profile)).toMatchObject({ code: 1, stderr: "that process does not run\n" })
      expect(Date.now() - killed).toBeLessThan(30_000)
      expect((yield* command(demo, "profile", "--seconds", "1")).code).toBe(0)
    })
  )
})
