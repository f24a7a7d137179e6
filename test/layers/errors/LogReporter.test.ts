import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, HashMap, Layer, Logger, Option } from "effect"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as LogReporter from "../../../layers/errors/LogReporter.ts"
import * as WorkerRecords from "../../../layers/errors/WorkerRecords.ts"
import * as WorkerReporters from "../../../layers/errors/WorkerReporters.ts"
import * as Environment from "../../../src/config/Environment.ts"
import { Reporters } from "../../../src/errors/Reporters.ts"
import * as Sources from "../../../src/errors/Sources.ts"
import { folder } from "../../support/Demo.ts"

interface Options extends Partial<LogReporter.Options>, Pick<WorkerRecords.Options, "capacity"> {
  readonly environment?: Environment.Name
}

const layer = (path: string, { capacity = 2000, environment = "production", ...options }: Options = {}) =>
  LogReporter.layer({ path, ...options }).pipe(
    Layer.provide(WorkerRecords.layerWith({ capacity })),
    Layer.provideMerge(WorkerReporters.layer),
    Layer.provide(Sources.layerNone),
    Layer.provide(Environment.layerWith(environment))
  )

const report = (count: number) =>
  Effect.gen(function* () {
    const { notify, settle } = yield* Reporters
    for (let index = 0; index < count; index++) {
      yield* notify(Cause.die(new Error(`number ${index}`)), { method: "GET", uri: "/x", peer: "::1" })
    }
    yield* settle
  })

const lines = (path: string): ReadonlyArray<{ readonly message: string; readonly class: string }> =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

const numbers = (paths: ReadonlyArray<string>) =>
  paths.flatMap((path) => lines(path).map(({ message }) => Number(/\d+/.exec(message)?.[0]))).sort((a, b) => a - b)

describe("LogReporter", () => {
  it.scopedLive("writes a JSON line for each exception and makes the folder", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "logs", "exceptions.log")
      yield* Effect.provide(report(500), layer(path))
      expect(numbers([path])).toEqual(Array.from({ length: 500 }, (_, index) => index))
      expect(lines(path)[0]).toMatchObject({
        level: "error",
        channel: "exceptions",
        class: "Error",
        file: expect.stringContaining("LogReporter.test.ts"),
        line: expect.any(Number),
        method: "GET",
        uri: "/x",
        peer: "::1",
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
      })
    })
  )

  it.scopedLive("is on the terminal in development, and nowhere else", () =>
    Effect.gen(function* () {
      const logged = (environment: Environment.Name) =>
        Effect.gen(function* () {
          const messages: Array<unknown> = []
          const terminal = Logger.replace(
            Logger.defaultLogger,
            Logger.make(({ message }) => void messages.push(message))
          )
          const path = join(yield* folder, "exceptions.log")
          yield* Effect.provide(report(1), Layer.provideMerge(layer(path, { environment }), terminal))
          return messages.map(String)
        })
      expect(yield* logged("development")).toEqual([
        expect.stringMatching(/^GET \/x failed: Error: number 0 \(test\/layers\/errors\/LogReporter\.test\.ts:\d+\)$/)
      ])
      expect(yield* logged("production")).toEqual([])
    })
  )

  it.scopedLive("writes what is left when the program ends", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "exceptions.log")
      const program = Effect.flatMap(Reporters, ({ notify }) => notify(Cause.die(new Error("last words"))))
      yield* Effect.provide(program, layer(path))
      expect(lines(path).map(({ message }) => message)).toEqual(["last words"])
    })
  )

  it.scopedLive("keeps no log in the test environment", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "exceptions.log")
      yield* Effect.provide(report(1), layer(path, { environment: "test" }))
      expect(existsSync(path)).toBe(false)
    })
  )

  it.scopedLive("sets the file aside by size and keeps the last few", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const path = join(directory, "exceptions.log")
      yield* Effect.provide(report(400), layer(path, { size: 20_000, keep: 2 }))
      // A file that has just become full is set aside at once, and the next one begins with the next exception.
      const names = readdirSync(directory).sort()
      expect(names.filter((name) => name !== "exceptions.log")).toEqual(["exceptions.log.1", "exceptions.log.2"])
      const kept = numbers([`${path}.2`, `${path}.1`, path].filter((file) => existsSync(file)))
      expect(kept.at(-1)).toBe(399)
      expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => 400 - kept.length + index))
      expect(statSync(`${path}.1`).size).toBeLessThan(60_000)
      const rights = names.map((name) => statSync(join(directory, name)).mode & 0o777)
      expect(rights).toEqual(names.map(() => 0o600))
    })
  )

  it.scopedLive("counts the reports that it drops, and logs their number", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "exceptions.log")
      const storm = Effect.gen(function* () {
        const { notify, settle } = yield* Reporters
        // In one go, so that nothing is written in between.
        yield* Effect.sync(() => {
          for (let index = 0; index < 100; index++) Effect.runSync(notify(Cause.die(new Error(`number ${index}`))))
          // Busy until the exceptions are late: then all of them are read at once.
          const late = performance.now() + 150
          while (performance.now() < late);
        })
        yield* settle
      })
      yield* Effect.provide(storm, layer(path, { capacity: 40 }))
      const written = lines(path)
      expect(written.filter(({ class: name }) => name === "Error")).toHaveLength(40)
      const dropped = written.filter(({ class: name }) => name === "Dropped").map(({ message }) => message)
      expect(dropped).toEqual([expect.stringMatching(/^60 exceptions were not logged/)])
    })
  )

  it.scopedLive("survives a path that cannot be written, and logs the exceptions elsewhere for as long", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const path = join(directory, "exceptions.log")
      mkdirSync(path)
      const entries: Array<string> = []
      const logger = Logger.make(({ annotations, message }) => {
        const uri = HashMap.get(annotations, "uri")
        entries.push([...(Array.isArray(message) ? message : [message]), ...Option.toArray(uri)].join(" "))
      })
      const reports = Effect.gen(function* () {
        yield* report(2)
        yield* report(1)
        expect(readdirSync(path)).toEqual([])
        rmdirSync(path)
        // What a full disk leaves of a line.
        writeFileSync(path, '{"message":"num')
        yield* report(4)
        const [cut, ...written] = readFileSync(path, "utf8").split("\n")
        expect(cut).toBe('{"message":"num')
        expect(JSON.parse(written[0] ?? "")).toMatchObject({ message: "number 0" })
        rmSync(path)
        mkdirSync(path)
        yield* report(1)
      })
      yield* Effect.provide(reports, Layer.provide(layer(path), Logger.replace(Logger.defaultLogger, logger)))
      const begun = expect.stringContaining("The log of exceptions cannot be written")
      const [first, second] = ["Error: number 0 /x", "Error: number 1 /x"]
      expect(entries).toEqual([begun, first, second, first, begun, first])
      expect(entries[0]).toContain("EISDIR")
    })
  )
})
