import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { buildSync } from "esbuild"
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { folder, root, start } from "../../support/Demo.ts"

const fixture = join(dirname(fileURLToPath(import.meta.url)), "fixtures", "Exit.ts")

// Built once: each process then starts in a moment, and its lines come through the source map.
const directory = mkdtempSync(join(tmpdir(), "effect-framework-exit-"))
const built = join(directory, "program.mjs")

beforeAll(() => {
  buildSync({
    entryPoints: [fixture],
    outfile: built,
    bundle: true,
    platform: "node",
    format: "esm",
    sourcemap: true,
    logLevel: "silent"
  })
})

afterAll(() => rmSync(directory, { recursive: true, force: true }))

const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const process = yield* start([built, ...args], env)
    const { code } = yield* process.ended
    return { code, ...process.output() }
  })

describe("RunMain", () => {
  it.scopedLive.each([
    { way: "failure", text: "Failed" },
    { way: "defect", text: "the defect of a console program" },
    { way: "thrown", text: "thrown inside" },
    { way: "primitive", text: "just a text" },
    { way: "later", text: "thrown outside of every fiber" },
    { way: "rejection", text: "a lost rejection" },
    { way: "nothing", text: "undefined" }
  ])("reports on standard error and ends with 255: $way", ({ text, way }) =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* run([way])
      expect(stderr).toContain(text)
      expect([code, stdout]).toEqual([255, ""])
      expect(stderr).not.toContain("canary")
    })
  )

  it.scopedLive("ends with 0 for a success and for an interruption, and reports nothing", () =>
    Effect.gen(function* () {
      const success = yield* run(["success"])
      expect([success.code, success.stderr]).toEqual([0, ""])
      const interrupted = yield* run(["interrupted"])
      expect([interrupted.code, interrupted.stderr]).toEqual([0, ""])
    })
  )

  it.scopedLive("shows more with the verbosity: class and message, source, stack", () =>
    Effect.gen(function* () {
      const reports = yield* Effect.forEach(["1", "2", "3"], (verbosity) => run(["defect", verbosity]), {
        concurrency: 2
      })
      const [one = "", two = "", three = ""] = reports.map(({ stderr }) => stderr)
      expect(one.trim()).toBe("TypeError \n  the defect of a console program")
      expect(two).toMatch(/▶ +\d+ │ {3}defect: Effect\.die/)
      expect(two).not.toContain("  at ")
      expect(three).toMatch(/ {2}at .*fixtures\/Exit\.ts:\d+:\d+/)
    })
  )

  it.scopedLive("only reports with `exit: false`", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* run(["surviving", "3", "false"])
      expect([code, stdout]).toEqual([0, "still here\n"])
      expect(stderr).toContain("survived")
      expect((yield* run(["failure", "3", "false"])).code).toBe(0)
    })
  )

  it.scopedLive("prints one line for an error that needs no report", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* run(["failure", "3", "line"])
      expect([code, stderr]).toEqual([255, "the failure of a console program\n"])
    })
  )

  it.scopedLive("escapes control characters and uses no colour without a terminal", () =>
    Effect.gen(function* () {
      const { stderr } = yield* run(["controls"], { NO_COLOR: "" })
      expect(stderr).toContain("\\x1b[2J\\x07 gone")
      expect(stderr).not.toContain("\u001B")
    })
  )

  it.scopedLive("writes the whole report before it ends, to a reader that is slow", () =>
    Effect.gen(function* () {
      const text = yield* Effect.async<string>((resume) => {
        const child = spawn(process.execPath, [built, "large"], { cwd: root })
        let received = ""
        child.stderr.pause()
        setTimeout(() => child.stderr.resume(), 1500)
        child.stderr.on("data", (chunk) => (received += String(chunk)))
        child.on("close", (code) => resume(Effect.succeed(`${code} ${received}`)))
      })
      expect(text.startsWith("255 ")).toBe(true)
      expect(text).toContain("x the end")
      expect(text).toContain("caused by Error")
      expect(text.endsWith("\n\n")).toBe(true)
    })
  )

  it.scopedLive("reports a file that cannot be parsed", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "broken.cjs")
      writeFileSync(file, "const = 1\n")
      const { code, stderr } = yield* run(["import", "3", "true", "", file])
      expect(code).toBe(255)
      expect(stderr).toContain("SyntaxError")
      expect(stderr).toContain("broken.cjs")
    })
  )

  it.scopedLive.each([{ way: "defect" }, { way: "later" }, { way: "rejection" }])(
    "calls the reporters once and waits for them before the exit: $way",
    ({ way }) =>
      Effect.gen(function* () {
        const path = join(yield* folder, "logs", "exceptions.log")
        const { code, stderr } = yield* run([way, "1", "true", path])
        expect(code).toBe(255)
        expect(stderr.match(/Error \n/g)).toHaveLength(1)
        const lines = readFileSync(path, "utf8").trim().split("\n")
        expect(lines).toHaveLength(1)
        expect(JSON.parse(lines[0] ?? "")).toMatchObject({ channel: "exceptions", file: fixture })
      })
  )
})
