// `doctor` with settings that are fine, and with settings that are broken: each is said with what to do about it.
import { describe, expect, it } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { ConfigProvider, Effect, Layer, Redacted, TestClock } from "effect"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import * as Http from "node:http"
import { createServer } from "node:net"
import { join } from "node:path"
import { executeCommand } from "../../../app/CommandLine.ts"
import * as App from "../../../app/App.ts"
import * as Checks from "../../../app/commands/Checks.ts"
import * as DatabaseChecks from "../../../app/commands/DatabaseChecks.ts"
import * as Findings from "../../../app/commands/Findings.ts"
import * as SecretChecks from "../../../app/commands/SecretChecks.ts"
import * as NodeVersion from "../../../create/NodeVersion.ts"
import * as Migrations from "../../../layers/database/Migrations.ts"
import { describeDatabases, TestDatabase } from "../../support/Databases.ts"
import * as Database from "../../../layers/database/Database.ts"
import { Sqlite } from "../../../src/database/DatabaseUrl.ts"
import * as Demo from "../../support/Demo.ts"
import { printed } from "../../support/Printed.ts"
import * as SmtpServer from "../../support/SmtpServer.ts"

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
      expect([...findings.keys()]).toEqual(Findings.subjects)
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
          expect.stringMatching(`^${name} is .+ \\(see effect-framework/docs/troubleshooting`)
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
      expect(out).toMatch(/\n\n2 to fix\. See effect-framework\/docs\/troubleshooting\.md$/)
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
      const health = { status: "ok", pid: 4711, uptime_seconds: 3.5, memory_bytes: 1, timestamp: 1 }
      const serving = yield* listening(
        Http.createServer(({ url }, response) => {
          response.statusCode = url === "/health" ? 200 : 404
          response.end(url === "/health" ? JSON.stringify(health) : "")
        })
      )
      const foreign = yield* listening(Http.createServer((_, response) => void response.end('{"status":"fine"}')))
      expect((yield* doctor({ PORT: String(silent) })).findings.get("port")).toEqual([
        "fix",
        `127.0.0.1:${silent} is in use by another program: stop it, or set PORT (see effect-framework/docs/troubleshooting.md#the-port)`
      ])
      expect((yield* doctor({ PORT: String(serving) })).findings.get("port")?.[0]).toBe("hint")
      expect((yield* doctor({ PORT: String(serving), HEALTH_PATH: "" })).findings.get("port")?.[0]).toBe("hint")
      expect((yield* doctor({ PORT: String(foreign) })).findings.get("port")?.[0]).toBe("fix")
      expect((yield* doctor({ HOST: "203.0.113.1", PORT: "8087" })).findings.get("port")?.[0]).toBe("fix")
    })
  )

  it.scopedLive("finds a mail server that cannot be reached, a sender of nobody and a password in clear text", () =>
    Effect.gen(function* () {
      const { port } = yield* SmtpServer.serve()
      const server = { MAIL_HOST: "127.0.0.1", MAIL_PORT: String(port), MAIL_SECURE: "none" }
      expect((yield* doctor({ MAIL_HOST: "127.0.0.1", MAIL_PORT: "1" })).findings.get("mail")).toEqual([
        "fix",
        expect.stringMatching(/^127\.0\.0\.1:1: the connection to the mail server failed .*MAIL_PORT/)
      ])
      expect((yield* doctor(server)).findings.get("mail")).toEqual(["fix", expect.stringContaining("set MAIL_FROM")])
      const from = { ...server, MAIL_FROM: "app@example.com" }
      expect((yield* doctor(from)).findings.get("mail")?.[0]).toBe("ok")
      expect((yield* doctor({ ...from, MAIL_QUEUE: "1" })).findings.get("mail")).toEqual([
        "hint",
        expect.stringContaining("queue run mail")
      ])
      const clear = { ...from, MAIL_HOST: "mail.invalid", MAIL_USERNAME: "app", MAIL_PASSWORD: "a long pass phrase" }
      expect((yield* doctor(clear)).findings.get("secrets")).toEqual(["fix", expect.stringContaining("clear text")])
    })
  )

  it.scopedLive("greets the mail server as a delivery does: TLS, and the credentials", () =>
    Effect.gen(function* () {
      const { port, received } = yield* SmtpServer.serve({
        options: {
          allowInsecureAuth: true,
          onAuth: ({ password }, _, done) =>
            password === "a long pass phrase" ? done(null, { user: "app" }) : done(SmtpServer.refusal(535))
        }
      })
      const given = {
        MAIL_HOST: "127.0.0.1",
        MAIL_PORT: String(port),
        MAIL_FROM: "a@example.com",
        MAIL_USERNAME: "app"
      }
      const found = (more: Readonly<Record<string, string>>) =>
        Effect.map(doctor({ ...given, ...more }), ({ findings }) => findings.get("mail"))
      const right = { MAIL_PASSWORD: "a long pass phrase", MAIL_SECURE: "none" }
      expect(yield* found(right)).toEqual(["ok", `127.0.0.1:${port} responds (none, signed in)`])
      expect(yield* found({ ...right, MAIL_PASSWORD: "another one" })).toEqual([
        "fix",
        expect.stringContaining("the mail server refused the credentials")
      ])
      // The certificate of the server is its own.
      expect((yield* found({ ...right, MAIL_SECURE: "starttls" }))?.[0]).toBe("fix")
      const silent = yield* listening(createServer((socket) => void socket.end("hello\r\n")))
      expect((yield* found({ ...right, MAIL_PORT: String(silent) }))?.[0]).toBe("fix")
      expect(received).toEqual([])
    })
  )

  it.scopedLive("makes nothing: no folder, no database and no log of one", () =>
    Effect.gen(function* () {
      const storage = join(yield* Demo.folder, "not", "there")
      const { findings } = yield* doctor({ STORAGE_DIR: storage })
      expect(findings.get("storage")).toEqual(["ok", `the first start makes ${storage}`])
      expect(findings.get("database")?.[0]).toBe("ok")
      expect(existsSync(join(storage, ".."))).toBe(false)
      const refused = yield* doctor({ STORAGE_DIR: "/dev/null/storage" })
      expect(refused.findings.get("storage")).toEqual(["fix", expect.stringContaining("a part of the path is a file")])
    })
  )

  it.scopedLive("reads a database that is closed or open, and leaves it and its folder as they are", () =>
    Effect.gen(function* () {
      const storage = yield* Demo.folder
      const path = join(storage, "teapots.sqlite")
      const connection = Database.layer(Sqlite({ path }))
      yield* Effect.provide(Migrations.run(migrations), connection)
      const before = [readFileSync(path), statSync(path).mtimeMs]
      const closed = yield* doctor({ STORAGE_DIR: storage })
      expect(closed.findings.get("migrations")).toEqual(["ok", "all applied"])
      expect(readdirSync(storage)).toEqual(["teapots.sqlite"])
      expect([readFileSync(path), statSync(path).mtimeMs]).toEqual(before)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`DELETE FROM program_migrations`
        const files = readdirSync(storage)
        expect(files.length).toBeGreaterThan(1)
        const open = yield* doctor({ STORAGE_DIR: storage })
        expect(open.findings.get("migrations")).toEqual(["hint", expect.stringContaining("0001_teapots first")])
        expect(readdirSync(storage)).toEqual(files)
      }).pipe(Effect.provide(connection))
    })
  )

  it.scopedLive("finds a database that was written in the future: the clock was set back", () =>
    Effect.gen(function* () {
      const storage = yield* Demo.folder
      const path = join(storage, "teapots.sqlite")
      yield* Effect.provide(Migrations.run(migrations), Database.layer(Sqlite({ path })))
      const later = new Date(Date.now() + 3_600_000)
      utimesSync(path, later, later)
      expect((yield* doctor({ STORAGE_DIR: storage })).findings.get("clock")).toEqual([
        "fix",
        expect.stringMatching(/was written 3\d{3} seconds in the future: set the clock .*#the-clock\)$/)
      ])
    })
  )

  it.scopedLive("finds a provider that is half set, and one that does not respond", () =>
    Effect.gen(function* () {
      const half = yield* doctor({ AUTH_GITHUB_SECRET: "a secret of github" })
      expect(half.findings.get("settings")).toEqual(["fix", expect.stringContaining("AUTH_GITHUB_ID is not set")])
      expect(half.status).toBe(1)
      const other = yield* doctor({ AUTH_GITHUB_ID: "app" })
      expect(other.findings.get("settings")).toEqual(["fix", expect.stringContaining("AUTH_GITHUB_SECRET is not set")])
      const issuer = (yield* listening(
        Http.createServer((_, response) => void response.writeHead(404).end())
      )).toString()
      const oidc = {
        AUTH_OIDC_ID: "app",
        AUTH_OIDC_SECRET: "a secret of the provider",
        AUTH_OIDC_ISSUER: `http://127.0.0.1:${issuer}`,
        AUTH_OIDC_NETWORK: "loopback"
      }
      const { findings, out } = yield* doctor(oidc)
      expect(findings.get("providers")).toEqual(["fix", expect.stringContaining("The provider oidc is not available")])
      expect(out).not.toContain("a secret")
      const github = yield* doctor({ AUTH_GITHUB_ID: "app", AUTH_GITHUB_SECRET: "a secret of github" })
      expect(github.findings.get("providers")).toEqual(["ok", "github is ready"])
    })
  )

  it.effect("names the command that installs a package", () =>
    Effect.gen(function* () {
      const needed = { feature: "Tea", install: "no-such-tea", load: () => import("no-such-tea".toString()) }
      expect(yield* Checks.packages([needed])).toEqual([
        {
          status: "fix",
          subject: "packages",
          said: expect.stringMatching(/^Tea needs a package .* npm install no-such-tea \(see .*#a-package\)$/)
        }
      ])
      const postgres = { _tag: "Postgres", url: Redacted.make("postgres://localhost/app") } as const
      expect(Checks.needed({ database: postgres }).map(({ install }) => install)).toEqual([
        "nodemailer",
        "@effect/sql-pg pg"
      ])
    })
  )

  it.scopedLive.each([
    ["postgres:///app?host=db.example.com", "hint"],
    ["postgres://localhost/app?host=db.example.com", "hint"],
    ["postgres://db.example.com/app", "hint"],
    ["postgres://db.example.com/app?sslmode=verify-full", "ok"],
    ["postgres:///app?host=/var/run/postgresql", "ok"],
    ["postgres://127.0.0.1/app", "ok"],
    ["postgres://app:changeme@db.example.com/app?sslmode=verify-full", "fix"],
    ["postgres://app:tea@db.example.com/app?sslmode=verify-full", "hint"]
  ] as const)("says of the secrets of %s: %s", ([url, status]) =>
    Effect.gen(function* () {
      const { AppConfig } = yield* Effect.promise(() => import("../../../layers/server/index.ts"))
      const provider = ConfigProvider.fromMap(
        new Map([
          ["DATABASE_URL", url],
          ["FRAMEWORK_ENVIRONMENT", "staging"]
        ])
      )
      const found = yield* Effect.withConfigProvider(
        Effect.flatMap(AppConfig.config("teapots"), SecretChecks.secrets),
        provider
      )
      expect(found.status).toBe(status)
      expect(found.said).not.toContain("changeme")
    })
  )

  it("asks a host that is an address of IPv6, or every address", () => {
    const origins = ["::1", "::", "0.0.0.0", "127.0.0.1"].map((host) => Checks.originOf(host, 80))
    expect(origins).toEqual(["http://[::1]:80", "http://[::1]:80", "http://127.0.0.1:80", "http://127.0.0.1:80"])
  })

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
      expect(said?.endsWith("(see effect-framework/docs/troubleshooting.md#what-people-see)")).toBe(found === "fix")
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
      const look = DatabaseChecks.database(Layer.succeed(SqlClient.SqlClient, sql), {
        migrations,
        tables: undefined,
        file: undefined
      })
      yield* TestClock.setTime(Date.now())
      expect(yield* Migrations.missing(migrations)).toEqual(["0001_teapots"])
      yield* Migrations.run(migrations)
      expect((yield* look).map(({ status, subject }) => [subject, status])).toEqual([
        ["database", "ok"],
        ["migrations", "ok"],
        ["clock", "ok"]
      ])
      yield* TestClock.adjust("1 minute")
      // SQLite has the clock of the machine, and a client of the program's own no file to compare it with.
      const [, , clock] = yield* look
      expect(clock?.status).toBe((yield* TestDatabase).url.startsWith("postgres") ? "fix" : "ok")
    }).pipe(Effect.provide(database.layer))
  )
})
