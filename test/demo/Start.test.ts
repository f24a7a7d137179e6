import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import * as Demo from "../support/Demo.ts"

const refusal = (env: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const started = yield* Demo.start(Demo.main(), { PORT: "0", ...env })
    const { code } = yield* started.ended
    const { stderr, stdout } = started.output()
    return { code, stdout, stderr: Demo.refusalOf(stderr) }
  })

const takenPort = Effect.acquireRelease(
  Effect.async<{ readonly port: number; readonly close: () => void }>((resume) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ port, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

describe("a start", () => {
  it.scopedLive("migrates, serves and prints its address in one line; ends with status 0 when it is stopped", () =>
    Effect.gen(function* () {
      const demo = yield* Demo.demo()
      const { stderr, stdout } = demo.output()
      expect(stdout).toMatch(
        /^listening on http:\/\/127\.0\.0\.1:\d+ \(production, SQLite .*demo\.sqlite, 1 worker, .*\)\n$/
      )
      const warnings = stderr.split("\n").filter((line) => line !== "")
      expect(warnings.map((line) => JSON.parse(line))).toEqual([
        expect.objectContaining({ level: "WARN", message: expect.stringMatching(/^MAIL_HOST is not set: .+\/mails$/) }),
        expect.objectContaining({
          level: "WARN",
          message: expect.stringMatching(/^APP_URL is http:\/\/localhost:8087: /)
        })
      ])
      expect(readdirSync(demo.storage)).toContain("demo.sqlite")
      expect((yield* Effect.promise(() => fetch(`${demo.url}/livez`))).status).toBe(200)
      demo.signal("SIGINT")
      expect(yield* demo.ended).toEqual({ code: 0, signal: null })
    })
  )

  it.scopedLive("warns once about a default of production, not once for each worker", () =>
    Effect.gen(function* () {
      const demo = yield* Demo.demo({ WORKERS: "2", APP_URL: "https://demo.example.com" })
      const warnings = demo
        .output()
        .stderr.split("\n")
        .filter((line) => line !== "")
      expect(warnings).toEqual([expect.stringContaining("MAIL_HOST is not set")])
    })
  )

  it.scopedLive("runs from its sources as it does when it is built", () =>
    Effect.gen(function* () {
      const started = yield* Demo.start(["--import", "tsx", "demo/main.ts"], {
        PORT: "0",
        STORAGE_DIR: yield* Demo.folder
      })
      const [, url = ""] = yield* started.says(/listening on (http:\/\/\S+)/)
      expect((yield* Effect.promise(() => fetch(`${url}/login`))).status).toBe(200)
    })
  )

  it.scopedLive("ends with status 255 and one line when a variable is malformed, and makes no file", () =>
    Effect.gen(function* () {
      const storage = join(yield* Demo.folder, "made")
      const { code, stderr, stdout } = yield* refusal({ STORAGE_DIR: storage, AUTH_RECOVERY_TTL: "soon" })
      const line =
        'AUTH_RECOVERY_TTL is "soon", expected a whole number between 1 and 315360000 (see effect-framework/docs/troubleshooting.md#a-setting)'
      expect({ code, stderr, stdout }).toEqual({ code: 255, stderr: `${line}\n`, stdout: "" })
      expect(existsSync(storage)).toBe(false)
    })
  )

  it.scopedLive.each([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "no pairs"],
    ["OTEL_EXPORTER_OTLP_TIMEOUT", "soon"],
    ["OTEL_RESOURCE_ATTRIBUTES", "staging"]
  ] as const)("ends in the same way when %s is malformed, though the server ships nothing itself", ([name, value]) =>
    Effect.gen(function* () {
      const storage = join(yield* Demo.folder, "made")
      const { code, stderr, stdout } = yield* refusal({ STORAGE_DIR: storage, WORKERS: "2", [name]: value })
      expect({ code, stdout }).toEqual({ code: 255, stdout: "" })
      expect(stderr).toMatch(new RegExp(`^${name} is .+, expected .+\\n$`))
      expect(existsSync(storage)).toBe(false)
    })
  )

  it.scopedLive("ends in the same way when the session and the remember cookie would have one name", () =>
    Effect.gen(function* () {
      const storage = join(yield* Demo.folder, "made")
      const { code, stderr } = yield* refusal({ STORAGE_DIR: storage, AUTH_REMEMBER_NAME: "session" })
      const line =
        'AUTH_REMEMBER_NAME is "session" and AUTH_SESSION_NAME is "session", expected two different cookie names (see effect-framework/docs/troubleshooting.md#a-setting)'
      expect({ code, stderr }).toEqual({ code: 255, stderr: `${line}\n` })
      expect(existsSync(storage)).toBe(false)
    })
  )

  it.scopedLive.each(["1", "2"])("says once that the port is in use, with %s workers", (workers) =>
    Effect.gen(function* () {
      const storage = yield* Demo.folder
      const { port } = yield* takenPort
      const { code, stderr, stdout } = yield* refusal({ STORAGE_DIR: storage, PORT: String(port), WORKERS: workers })
      expect({ code, stdout }).toEqual({ code: 255, stdout: "" })
      expect(stderr).toBe(
        `cannot listen on 127.0.0.1:${port}: the port is in use; stop the other program or set PORT (see effect-framework/docs/troubleshooting.md#the-port)\n`
      )
    })
  )

  it.scopedLive("says that the storage folder is a file", () =>
    Effect.gen(function* () {
      const storage = join(yield* Demo.folder, "file")
      writeFileSync(storage, "")
      const { code, stderr } = yield* refusal({ STORAGE_DIR: storage })
      expect({ code, stderr }).toEqual({
        code: 255,
        stderr: `STORAGE_DIR ${storage} cannot be used: it is a file, not a folder (see effect-framework/docs/troubleshooting.md#the-storage-folder)\n`
      })
    })
  )

  it.scopedLive("says that the database file is none, and leaves it as it is", () =>
    Effect.gen(function* () {
      const storage = yield* Demo.folder
      const file = join(storage, "notes.txt")
      writeFileSync(file, "Dear reader, this is a text and not a database, however long it gets to be.\n")
      const { code, stderr } = yield* refusal({ STORAGE_DIR: storage, DATABASE_URL: `file:${file}` })
      expect(code).toBe(255)
      expect(stderr).toMatch(/^The database .*notes\.txt cannot be used: .+\n$/)
      expect(readdirSync(storage).filter((name) => name.startsWith("notes"))).toEqual(["notes.txt"])
    })
  )

  it.scopedLive("says that PostgreSQL cannot be reached, without the password", () =>
    Effect.gen(function* () {
      const storage = yield* Demo.folder
      const { code, stderr } = yield* refusal({
        STORAGE_DIR: storage,
        DATABASE_URL: "postgres://someone:hunter2@127.0.0.1:1/nothing"
      })
      expect(code).toBe(255)
      expect(stderr).toMatch(/^The database postgres:\/\/someone:\*{8}@127\.0\.0\.1:1\/nothing cannot be used: .+\n$/)
      expect(stderr).not.toContain("hunter2")
    })
  )
})
