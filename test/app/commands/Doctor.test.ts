// `doctor` with settings that are fine, and with settings that are broken: each is said with what to do about it.
import { describe, expect, it } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { ConfigProvider, Effect, Layer, TestClock } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import * as Http from "node:http"
import { createServer } from "node:net"
import { join } from "node:path"
import { executeCommand } from "../../../app/CommandLine.ts"
import * as App from "../../../app/App.ts"
import * as Checks from "../../../app/commands/Checks.ts"
import * as NodeVersion from "../../../create/NodeVersion.ts"
import * as Migrations from "../../../layers/database/Migrations.ts"
import { describeDatabases, TestDatabase } from "../../support/Databases.ts"
import * as Demo from "../../support/Demo.ts"
import { printed } from "../../support/Printed.ts"

const table = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE teapots (id INTEGER PRIMARY KEY)`)
const migrations = { "0001_teapots": table }
const program = { name: "teapots", app: async () => App.make({ name: "teapots", pages: [], migrations }) }

/** The lines of the report by their subject, and the exit status. */
const doctor = (env: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const storage = join(yield* Demo.folder, "storage")
    const provider = ConfigProvider.fromMap(
      new Map(Object.entries({ PORT: "0", STORAGE_DIR: storage, FRAMEWORK_ENVIRONMENT: "staging", ...env }))
    )
    const { error, out, status } = yield* Effect.withConfigProvider(
      printed(executeCommand(program, ["doctor"])),
      provider
    )
    expect(error).toBe("")
    const lines = out.split("\n").flatMap((line) => {
      const [, found, subject, said] = /^(ok|hint|fix) +(\w+) +(.*)$/.exec(line) ?? []
      return found === undefined ? [] : [[subject ?? "", [found, said ?? ""] as const] as const]
    })
    return { status, out, findings: new Map(lines) }
  })

const listening = (server: Http.Server | ReturnType<typeof createServer>) =>
  Effect.acquireRelease(
    Effect.async<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
      })
    }),
    () => Effect.sync(() => server.close())
  )

describe("doctor", () => {
  it.scopedLive("says of every subject that it is fine, and ends with 0", () =>
    Effect.gen(function* () {
      const { findings, out, status } = yield* doctor({})
      expect([...findings.keys()]).toEqual(Checks.subjects)
      expect([...findings].filter(([, [found]]) => found === "fix")).toEqual([])
      expect(findings.get("migrations")).toEqual(["hint", expect.stringMatching(/^\d+ to apply, 0001_users first/)])
      expect(out).toMatch(/\n\nNothing must be done\.$/)
      expect(status).toBe(0)
    })
  )

  it.scopedLive("names a setting that is malformed, and looks no further", () =>
    Effect.gen(function* () {
      for (const broken of [{ PORT: "eighty" }, { PAGINATION_KEYS: "short" }]) {
        const { findings, status } = yield* doctor(broken)
        const [name = ""] = Object.keys(broken)
        expect(findings.get("settings")).toEqual([
          "fix",
          expect.stringMatching(`^${name} is .+ \\(see docs/troubleshooting`)
        ])
        expect([...findings.keys()]).toEqual(["node", "settings"])
        expect(status).toBe(1)
      }
    })
  )

  it.scopedLive("finds what production lacks", () =>
    Effect.gen(function* () {
      const { findings, out, status } = yield* doctor({ FRAMEWORK_ENVIRONMENT: "production" })
      expect(findings.get("mail")).toEqual(["fix", expect.stringContaining("set MAIL_HOST and MAIL_FROM")])
      expect(findings.get("address")).toEqual(["fix", expect.stringContaining("set it to the public address")])
      expect(out).toMatch(/\n\n2 to fix\. See docs\/troubleshooting\.md$/)
      expect(status).toBe(1)
    })
  )

  it.scopedLive("finds a storage folder that is a file, and a database that is none", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      const file = join(folder, "file")
      writeFileSync(file, "not a database, but long enough to be taken for one".repeat(20))
      mkdirSync(join(folder, "storage"))
      const stored = yield* doctor({ STORAGE_DIR: file, DATABASE_URL: `file:${join(folder, "a.sqlite")}` })
      expect(stored.findings.get("storage")).toEqual([
        "fix",
        expect.stringMatching(/it is a file, not a folder.*#the-storage-folder\)$/)
      ])
      const { findings, status } = yield* doctor({ DATABASE_URL: `file:${file}` })
      expect(findings.get("database")).toEqual(["fix", expect.stringContaining("#the-database")])
      expect(status).toBe(1)
    })
  )

  it.scopedLive("hides the password of a database that cannot be reached", () =>
    Effect.gen(function* () {
      const { findings, out } = yield* doctor({ DATABASE_URL: "postgres://someone:secret@127.0.0.1:1/nothing" })
      expect(findings.get("database")).toEqual(["fix", expect.stringContaining("127.0.0.1:1/nothing cannot be used")])
      expect(out).not.toContain("secret@")
    })
  )

  it.scopedLive("tells a port in use by another program from one that a program serves", () =>
    Effect.gen(function* () {
      const silent = yield* listening(createServer((socket) => void socket.destroy()))
      const serving = yield* listening(Http.createServer((_, response) => void response.end("ok")))
      expect((yield* doctor({ PORT: String(silent) })).findings.get("port")).toEqual([
        "fix",
        `127.0.0.1:${silent} is in use by another program: stop it, or set PORT (see docs/troubleshooting.md#the-port)`
      ])
      expect((yield* doctor({ PORT: String(serving) })).findings.get("port")?.[0]).toBe("hint")
      expect((yield* doctor({ HOST: "203.0.113.1", PORT: "8087" })).findings.get("port")?.[0]).toBe("fix")
    })
  )

  it.scopedLive("finds a mail server that cannot be reached, a sender of nobody and a password in clear text", () =>
    Effect.gen(function* () {
      const port = yield* listening(createServer(() => undefined))
      const server = { MAIL_HOST: "127.0.0.1", MAIL_PORT: String(port) }
      expect((yield* doctor({ MAIL_HOST: "127.0.0.1", MAIL_PORT: "1" })).findings.get("mail")).toEqual([
        "fix",
        expect.stringContaining("127.0.0.1:1 cannot be reached")
      ])
      expect((yield* doctor(server)).findings.get("mail")).toEqual(["fix", expect.stringContaining("set MAIL_FROM")])
      const from = { ...server, MAIL_FROM: "app@example.com" }
      expect((yield* doctor(from)).findings.get("mail")?.[0]).toBe("ok")
      expect((yield* doctor({ ...from, MAIL_QUEUE: "1" })).findings.get("mail")).toEqual([
        "hint",
        expect.stringContaining("queue run mail")
      ])
      const clear = { ...from, MAIL_SECURE: "none", MAIL_USERNAME: "app", MAIL_PASSWORD: "secret" }
      expect((yield* doctor(clear)).findings.get("secrets")).toEqual(["fix", expect.stringContaining("clear text")])
    })
  )

  it.scopedLive.each([
    [{ APP_URL: "https://app.example.com" }, "proxies", "fix"],
    [{ APP_URL: "https://app.example.com", TRUSTED_PROXIES: "10.0.0.1" }, "proxies", "ok"],
    [{ TRUSTED_PROXIES: "10.0.0.1, 0.0.0.0/0" }, "proxies", "fix"],
    [{ TRUSTED_PROXIES: "::/0" }, "proxies", "fix"],
    [{ APP_URL: "http://app.example.com" }, "address", "fix"],
    [{ APP_URL: "http://app.localhost:8087" }, "address", "ok"]
  ] as const)("with %o says of %s: %s", ([env, subject, found]) =>
    Effect.gen(function* () {
      const [status, said] = (yield* doctor(env)).findings.get(subject) ?? []
      expect(status).toBe(found)
      expect(said?.endsWith("(see docs/troubleshooting.md#what-people-see)")).toBe(found === "fix")
    })
  )

  it("names a version of Node.js that is too old", () => {
    expect(Checks.oldest).toBe(NodeVersion.minimum)
    const found = ["18.20.8", "20.9.0", "20.19.0", "20.20.2", "26.0.0"].map((version) => Checks.node(version).status)
    expect(found).toEqual(["fix", "fix", "ok", "ok", "ok"])
  })
})

describeDatabases("doctor", (database) => {
  it.scoped("finds no migration to apply after they were, and a clock that is apart", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const look = Checks.database(Layer.succeed(SqlClient.SqlClient, sql), migrations, undefined)
      yield* TestClock.setTime(Date.now())
      expect(yield* Migrations.missing(migrations)).toEqual(["0001_teapots"])
      yield* Migrations.run(migrations)
      expect((yield* look).map(({ status, subject }) => [subject, status])).toEqual([
        ["database", "ok"],
        ["migrations", "ok"],
        ["clock", "ok"]
      ])
      yield* TestClock.adjust("1 minute")
      // SQLite has the clock of the machine.
      const [, , clock] = yield* look
      expect(clock?.status).toBe((yield* TestDatabase).url.startsWith("postgres") ? "fix" : "ok")
    }).pipe(Effect.provide(database.layer))
  )
})
