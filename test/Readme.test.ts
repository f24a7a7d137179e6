// The README, followed to the letter by someone who has nothing but a fresh copy of the repository.
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as ServerConfig from "../src/config/internal/ServerConfig.ts"
import * as TestClient from "../testing/TestClient.ts"
import { code, page, rows } from "./docs/Pages.ts"
import { bundleExample } from "./support/Bundle.ts"
import * as Demo from "./support/Demo.ts"
import { run, serve, type Served } from "./support/Packed.ts"
import { projects } from "./support/Slowest.ts"

const { blocks, text } = page("README.md")
const manifest: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(Demo.root, "package.json"), "utf8")
)

const block = (language: string): string => blocks.find((one) => one.language === language)?.text ?? ""

/** The commands of the first block, each as its steps. */
const commands = block("sh")
  .trim()
  .split("\n")
  .map((line) => line.replace(/\s+#.*$/, "").split(" && "))

/** What is in the repository or about to be, without what a run of it has left behind. */
const copy = (folder: string): void => {
  const words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
  const listed = execFileSync("git", words, { cwd: Demo.root, encoding: "utf8" }).split("\0")
  for (const path of listed) {
    if (path !== "" && existsSync(join(Demo.root, path))) cpSync(join(Demo.root, path), join(folder, path))
  }
  // In place of `npm ci`, which takes minutes and a registry; `.ci/run` performs it.
  symlinkSync(join(Demo.root, "node_modules"), join(folder, "node_modules"))
}

describe("the two commands", () => {
  it("install what the lock file names, then run one script each", () => {
    expect(commands).toEqual([
      ["npm ci", "npm run demo"],
      ["npm ci", "npm test"]
    ])
  })

  it("are those that prove a clean checkout", () => {
    const steps = readFileSync(join(Demo.root, ".ci", "run"), "utf8").split("\n")
    expect(steps).toContain("npm ci")
    expect(steps.some((step) => /^npm test( |$)/.test(step))).toBe(true)
    expect(steps.some((step) => /^npm run test:release( |$)/.test(step))).toBe(true)
  })

  it("run every project of the tests between them", () => {
    const commands = `${manifest.scripts["test"]} ${manifest.scripts["test:release"]}`
    const named = Array.from(commands.matchAll(/ --project (\w+)/g), ([, project]) => project)
    expect(named).toEqual(projects)
  })

  it("serve where the README says when no variable says otherwise", async () => {
    const settings = Effect.withConfigProvider(
      ServerConfig.config({ healthPath: "" }),
      ConfigProvider.fromMap(new Map())
    )
    const { host, port } = await Effect.runPromise(settings)
    // The name that cookies and providers know.
    expect(host).toBe("127.0.0.1")
    expect(block("sh")).toContain(`http://localhost:${port} `)
  })
})

describe("the demo in a fresh copy", () => {
  const folder = mkdtempSync(join(tmpdir(), "effect-framework-readme-"))
  let served: Served

  beforeAll(async () => {
    copy(folder)
    const [, command = ""] = commands[0] ?? []
    // The port of the README may be taken on the machine that runs the tests.
    served = await serve(folder, command.replace("npm run ", ""))
  }, 240_000)

  afterAll(async () => {
    await served?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it("takes the account that the README names", async () => {
    const [, email = "", password = ""] = /Sign in to the demo as `([^`]+)` with\s+`([^`]+)`/.exec(text) ?? []
    const visitor = TestClient.make(served.url)
    const account = await Effect.runPromise(
      Effect.zipRight(visitor.submit("/login", { email, password }), visitor.get("/account"))
    )
    expect(account).toMatchObject({ status: 200, text: expect.stringContaining(email) })
  }, 240_000)

  it("leaves e-mails where the README says", async () => {
    const [, place = ""] = /e-mails are files in `([^`]+)`/.exec(text) ?? []
    const visitor = TestClient.make(served.url)
    const password = "a quiet harbour"
    const form = { email: "ada@example.com", password, password_confirmation: password }
    expect((await Effect.runPromise(visitor.submit("/register", form))).location).toBe("/account")
    const messages = () =>
      existsSync(join(folder, place))
        ? readdirSync(join(folder, place)).map((name) => readFileSync(join(folder, place, name), "utf8"))
        : []
    await expect.poll(messages, { timeout: 10_000 }).toEqual([expect.stringMatching(/^To: ada@example\.com/m)])
  }, 240_000)

  it("has its articles", async () => {
    const { json } = await Effect.runPromise(TestClient.make(served.url).json("GET", "/articles?limit=1"))
    expect(json).toMatchObject({ total: 1000 })
  })
})

describe("the program", () => {
  const program = Effect.promise(() => bundleExample("docs/examples/readme.ts"))
  const lines = block("ts")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("//"))

  it("is the example, in eight lines at most", () => {
    expect(block("ts")).toBe(readFileSync(join(Demo.root, "docs", "examples", "readme.ts"), "utf8"))
    expect(lines.length).toBeGreaterThan(4)
    expect(lines.length).toBeLessThanOrEqual(8)
  })

  it.scopedLive(
    "serves accounts, e-mails, metrics, and tea for users who are signed in",
    () =>
      Effect.gen(function* () {
        const cwd = yield* Demo.folder
        const env = { PORT: "0", AUTH_ARGON2_MEMORY: "19456", AUTH_ARGON2_TIME: "2" }
        const app = yield* Demo.start([yield* program], env, cwd)
        const [, url = ""] = yield* app.says(/listening on (http:\/\/\S+)/)
        const visitor = TestClient.make(url)
        expect((yield* visitor.get("/")).body).toContain('href="/register"')
        expect(yield* visitor.get("/tea")).toMatchObject({ status: 303, location: "/login" })
        const password = "a quiet harbour"
        yield* visitor.submit("/register", { email: "ada@example.com", password, password_confirmation: password })
        expect((yield* visitor.get("/tea")).body).toBe("Tea for ada@example.com")
        const missing = yield* visitor.get("/coffee")
        expect(missing).toMatchObject({ status: 404, text: expect.stringContaining("Teapots") })
        expect((yield* visitor.get("/metrics")).body).toMatch(/^http_requests_total [1-9]/m)
        app.signal("SIGTERM")
        // What was left for after the response is done before it ends.
        expect(yield* app.ended).toMatchObject({ code: 0 })
        expect(readdirSync(join(cwd, "storage", "mails"))).toHaveLength(1)
        expect(existsSync(join(cwd, "storage", "Teapots.sqlite"))).toBe(true)
      }),
    240_000
  )

  it.scopedLive(
    "serves with two workers under a supervisor, and migrates by its command",
    () =>
      Effect.gen(function* () {
        const cwd = yield* Demo.folder
        const migrated = yield* Demo.start([yield* program, "migrate"], {}, cwd)
        expect(yield* migrated.ended).toMatchObject({ code: 0 })
        expect(migrated.output().stdout).toMatch(/^applied /)
        const app = yield* Demo.start([yield* program], { PORT: "0", WORKERS: "2" }, cwd)
        const [, url = ""] = yield* app.says(/listening on (http:\/\/\S+) \(.*2 workers/)
        expect(yield* TestClient.make(url).get("/tea")).toMatchObject({ status: 303, location: "/login" })
        app.signal("SIGTERM")
        expect(yield* app.ended).toMatchObject({ code: 0 })
      }),
    240_000
  )

  it.scopedLive(
    "says in one line why it does not start",
    () =>
      Effect.gen(function* () {
        const cwd = yield* Demo.folder
        const app = yield* Demo.start([yield* program], { PORT: "eighty" }, cwd)
        expect(yield* app.ended).toMatchObject({ code: 255 })
        expect(Demo.refusalOf(app.output().stderr)).toMatch(/^PORT is "eighty", expected [^\n]+\n$/)
      }),
    240_000
  )
})

describe("the table of commands", () => {
  const [, table = ""] = page("docs/getting-started.md").text.split("## Commands of this repository")
  const named = rows(table)
    .flatMap(([cell = ""]) => code(cell))
    .map((command) => /^npm (?:run )?([a-z:]+)( -- .*)?$/.exec(command)?.[1] ?? command)

  it("names scripts that exist", () => {
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([])
  })

  const helpful = named.filter((name) => /^tsx (?!watch)/.test(manifest.scripts[name] ?? ""))

  it("has scripts that explain themselves", () => {
    expect(helpful).toEqual(expect.arrayContaining(["demo", "migrate", "queue", "bench"]))
  })

  // The commands of the demo are one program, and test/app/Help.test.ts asks each of them.
  const programs = new Map(helpful.toReversed().map((name) => [manifest.scripts[name]?.split(" ")[1], name]))

  it.each([...programs.values(), "queue"])(
    "has a script that explains itself: %s",
    async (name) => {
      const { stdout } = await run("npm", ["run", "--silent", name, "--", "--help"], { cwd: Demo.root })
      expect(stdout).toMatch(/^usage/im)
    },
    240_000
  )
})
