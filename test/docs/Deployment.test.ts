// The files of docs/deployment.md fit this program: what they start is what the build writes, what they set is read.
import { describe, expect, it } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Effect, Either, Layer, Option } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import * as SqlTrust from "../../layers/auth/SqlTrust.ts"
import * as SqlAuthentication from "../../layers/auth/SqlAuthentication.ts"
import { AccountId } from "../../src/session/Identity.ts"
import * as AuthConfig from "../../src/auth/AuthConfig.ts"
import { Trust } from "../../src/auth/Trust.ts"
import { TemporaryDatabase } from "../../testing/index.ts"
import * as InsecurePassword from "../../testing/InsecurePassword.ts"
import * as Configuration from "../scale/Configuration.ts"
import { outputOf } from "../../app/Bundle.ts"
import * as Demo from "../support/Demo.ts"
import { assignments, load } from "./Environment.ts"
import { page, read } from "./Pages.ts"

const example = (name: string): string => read(`docs/examples/${name}`)
const scripts: Readonly<Record<string, string>> = JSON.parse(read("package.json")).scripts

const has = (program: string): boolean => spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined

/** `npm start`, word by word, with these arguments. */
const start = (...words: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...(scripts["start"] ?? "").split(" "),
  ...words
]

const isBuilt = (file: string): boolean => {
  const [, source = ""] = / build (\S+\.ts) /.exec(scripts["bundle"] ?? "") ?? []
  return join(outputOf(Demo.root, source), basename(source, ".ts")) === join(Demo.root, file.replace(/\.js$/, ""))
}

describe("the units", () => {
  const units = readdirSync(join(Demo.root, "docs", "examples")).filter((name) => name.endsWith(".service"))
  const settings = (unit: string, name: string) =>
    Array.from(example(unit).matchAll(new RegExp(`^${name}=(.*)$`, "gm")), ([, value = ""]) => value)

  it("start what the build writes, as npm start does", () => {
    expect(units).toEqual(["app-mail.service", "app.service"])
    expect(settings("app.service", "ExecStart")[0]?.split(" ")).toEqual(["/usr/bin/node", ...start().slice(1)])
    const runner = start("queue", "run", "mail")
    expect(settings("app-mail.service", "ExecStart")[0]?.split(" ")).toEqual(["/usr/bin/node", ...runner.slice(1)])
    expect(isBuilt("dist/demo/main.js")).toBe(true)
  })

  it.effect.each(units)("set variables that are read, to values that are taken: %s", (unit) =>
    Effect.gen(function* () {
      const given = assignments(settings(unit, "Environment").flatMap((line) => line.split(" ")))
      const { known } = yield* load(given)
      expect(Object.keys(given).filter((name) => !known.has(name))).toEqual([])
    })
  )

  it.each(units)("keep the storage where the service may write: %s", (unit) => {
    const { STORAGE_DIR } = assignments(settings(unit, "Environment").flatMap((line) => line.split(" ")))
    expect(STORAGE_DIR).toBe(`/var/lib/${settings(unit, "StateDirectory")[0]}`)
  })

  it("wait longer for the end than the program does", () => {
    const [, grace = ""] = /grace = Duration\.seconds\((\d+)\)/.exec(read("app/Serve.ts")) ?? []
    expect(Number(settings("app.service", "TimeoutStopSec")[0])).toBeGreaterThan(Number(grace))
  })

  // Not on every machine, and not in every container.
  if (has("systemd-analyze")) {
    it.scopedLive.each(units)("are understood by systemd: %s", (unit) =>
      Effect.gen(function* () {
        const file = join(yield* Demo.folder, unit)
        writeFileSync(file, example(unit).replace("/usr/bin/node", process.execPath))
        const { status, stderr } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" })
        expect({ status, stderr: stderr.split("\n").filter((line) => line.includes(unit)) }).toEqual({
          status: 0,
          stderr: []
        })
      })
    )
  }
})

describe("app.env", () => {
  it.effect("is read as PostgreSQL and queued mail", () =>
    Effect.gen(function* () {
      const given = assignments(example("app.env").trim().split("\n"))
      const { known, settings } = yield* load(given)
      expect(Object.keys(given).filter((name) => !known.has(name))).toEqual([])
      expect([settings.demo.database._tag, settings.demo.mail.transport._tag]).toEqual(["Postgres", "Queue"])
    })
  )
})

describe("the container", () => {
  const file = example("Dockerfile")
  const all = (name: string) => Array.from(file.matchAll(new RegExp(`^${name} (.*)$`, "gm")), ([, words = ""]) => words)

  it("starts what npm start does", () => {
    expect(JSON.parse(all("CMD")[0] ?? "")).toEqual(start())
  })

  it("has only instructions that are known, and names only scripts and files that are there", () => {
    const known = new Set(["FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "CMD"])
    expect(file.split("\n").filter((line) => line !== "" && !known.has(line.split(" ")[0] ?? ""))).toEqual([])
    const named = all("RUN").flatMap((run) => Array.from(run.matchAll(/npm run (\S+)/g), ([, name = ""]) => name))
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
    const copied = all("COPY").flatMap((words) =>
      words
        .split(" ")
        .filter((word) => !word.startsWith("--"))
        .slice(0, -1)
    )
    const made = new Set(["node_modules", "dist"])
    const missing = copied
      .map((path) => path.replace("/app/", ""))
      .filter((path) => !made.has(path) && !existsSync(join(Demo.root, path)))
    expect(missing).toEqual([])
  })

  it.effect("sets variables that are read, and opens the port of the default", () =>
    Effect.gen(function* () {
      const given = assignments(all("ENV").flatMap((words) => words.split(" ")))
      const { known, settings } = yield* load(given)
      expect(Object.keys(given).filter((name) => !known.has(name))).toEqual([])
      expect(all("EXPOSE")).toEqual([String(settings.demo.server.port)])
      expect(all("VOLUME")).toEqual([settings.demo.server.storage])
    })
  )
})

describe("nginx.conf", () => {
  const file = example("nginx.conf")

  it("is made of directives and blocks that close", () => {
    let depth = 0
    const odd = file.split("\n").filter((line) => {
      const text = line.trim()
      if (text === "}") depth--
      else if (text.endsWith("{")) depth++
      else return text !== "" && !/^[a-z_]+( [^;{}]+)?;$/.test(text)
      return depth < 0
    })
    expect([odd, depth]).toEqual([[], 0])
  })

  it.effect("leads to where the program listens, with the headers that it reads", () =>
    Effect.gen(function* () {
      const { settings } = yield* load({})
      const { host, port } = settings.demo.server
      expect(file).toContain(`server ${host}:${port};`)
      const reader = read("layers/session/TrustedProxies.ts")
      for (const header of ["X-Forwarded-For", "X-Request-Id"]) {
        expect(file).toContain(`proxy_set_header ${header} `)
        expect(reader).toContain(`"${header.toLowerCase()}"`)
      }
    })
  )
})

describe("haproxy.cfg", () => {
  it("checks what a program that stops fails, in less time than the page lets it wait", () => {
    expect(example("haproxy.cfg")).toContain("uri /readyz ")
    const [, delay = ""] = /`SHUTDOWN_DELAY=(\d+)`/.exec(read("docs/deployment.md")) ?? []
    expect(Number(delay)).toBeGreaterThan(Configuration.noticed())
  })
})

const stores = SqlTrust.layer.pipe(
  Layer.provideMerge(SqlAuthentication.layerWithoutSweeper()),
  Layer.provideMerge(Layer.mergeAll(InsecurePassword.layer, AuthConfig.layerWith({}))),
  Layer.provideMerge(TemporaryDatabase.layer())
)

describe("restore.sql", () => {
  const statements = example("restore.sql")
    .replace(/^--.*\n/gm, "")
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "")

  /** What a device is told that was used after the backup, when the backup is back. */
  const returning = (restored: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
    Effect.gen(function* () {
      const trust = yield* Trust
      const sql = yield* SqlClient.SqlClient
      const token = yield* trust.issue(AccountId.make("ann"))
      const [backup] = yield* sql<{ verifier: string }>`SELECT verifier FROM trusts`
      const used = yield* Effect.flatten(trust.rotate(token.value))
      yield* sql`UPDATE trusts SET verifier = ${backup?.verifier ?? ""}, previous = NULL, rotated_at = NULL`
      yield* restored(sql)
      return yield* Effect.either(trust.rotate(used.value))
    }).pipe(Effect.provide(stores))

  it.scopedLive("keeps a device that was used since the backup from looking like a thief", () =>
    Effect.gen(function* () {
      const untouched = yield* returning(() => Effect.void)
      expect(Either.isLeft(untouched) && untouched.left._tag).toBe("Theft")
      const cleared = yield* returning((sql) => Effect.forEach(statements, (statement) => sql.unsafe(statement)))
      expect(Either.isRight(cleared) && Option.isNone(cleared.right)).toBe(true)
    })
  )
})

describe("a backup of SQLite", () => {
  const commands = page("docs/deployment.md")
    .blocks.filter(({ language }) => language === "sh")
    .flatMap(({ text }) => text.split("\n"))
    .filter((line) => line.startsWith("sqlite3 "))

  it("is taken, put back and cleared", () => {
    expect(commands.map((line) => /"\.(\w+)/.exec(line)?.[1])).toEqual(["backup", "restore", "read"])
  })

  if (has("sqlite3")) {
    it.scopedLive("brings back what was there, without the sign-ins", () =>
      Effect.gen(function* () {
        const folder = yield* Demo.folder
        const file = join(folder, "demo.sqlite")
        const sql = (text: string) => spawnSync("sqlite3", [file, text], { encoding: "utf8" }).stdout.trim()
        const run = (line = "") => {
          const command = line.replace(/ +#.*/, "").replaceAll("/var/lib/app", folder).replaceAll("/backup", folder)
          return spawnSync("sh", ["-c", command], { cwd: Demo.root, encoding: "utf8" }).stderr
        }
        sql("PRAGMA journal_mode = WAL; CREATE TABLE users (id TEXT); INSERT INTO users VALUES ('ann')")
        for (const table of [
          "sessions",
          "trusts",
          "tokens",
          "api_tokens",
          "pending_sign_ins",
          "passkey_challenges",
          "provider_flows",
          "factor_recoveries",
          "notices"
        ]) {
          sql(`CREATE TABLE ${table} (id TEXT); INSERT INTO ${table} VALUES ('old')`)
        }
        sql("CREATE TABLE jobs (queue TEXT); INSERT INTO jobs VALUES ('mail'); INSERT INTO jobs VALUES ('default')")
        const [backup, restore, clear] = commands
        expect(run(backup)).toBe("")
        sql("DELETE FROM users")
        expect([run(restore), run(clear)]).toEqual(["", ""])
        const left = "SELECT count(*) FROM sessions UNION ALL SELECT count(*) FROM jobs"
        expect([sql("SELECT id FROM users"), sql(left)]).toEqual(["ann", "0\n1"])
      })
    )
  }
})
