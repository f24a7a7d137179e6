// The package as its users get it: packed, a project made with its command, installed, run and tested there.
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { transformSync } from "esbuild"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Locator } from "playwright-core"
import * as TestClient from "../testing/TestClient.ts"
import { violations } from "./support/Axe.ts"
import * as Browser from "./support/Browser.ts"
import { root } from "./support/Demo.ts"
import { install, pack, type Packed, run, serve, serveFile, type Served, unpack } from "./support/Packed.ts"
import * as SmtpServer from "./support/SmtpServer.ts"

const program = `
import { Effect, Layer, Option, Redacted } from "effect"
import { AuthConfig, Tokens, Users } from "effect-framework/auth"
import { Cursor } from "effect-framework/pagination"
import { Argon2Password, SqlAuthentication } from "effect-framework/layers/auth"
import { Database, Migrations } from "effect-framework/layers/database"
import { DatabaseUrl } from "effect-framework/database"
import { AuthRoutes } from "effect-framework/routes/auth"
import { Pipeline } from "effect-framework/routes/server"

const database = Database.layer(DatabaseUrl.Sqlite({ path: "app.sqlite" }))
const auth = SqlAuthentication.layerWithoutSweeper().pipe(
  Layer.provide(Argon2Password.layer),
  Layer.provide(AuthConfig.layerWith({ argon2: { memory: 19456, time: 2 } })),
  Layer.provide(Migrations.layer),
  Layer.provide(database)
)
const flow = Effect.gen(function* () {
  const users = yield* Users.Users
  const tokens = yield* Tokens.Tokens
  const id = yield* users.enroll("ada@example.com", Redacted.make("a long enough secret"))
  const token = yield* tokens.mint(id, "verification")
  const owner = yield* tokens.redeem(token.value, "verification")
  const again = yield* tokens.redeem(token.value, "verification")
  return { same: Option.contains(owner, id), again: Option.isSome(again) }
})
const result = await Effect.runPromise(Effect.provide(flow, auth))
console.log(JSON.stringify({ ...result, routes: Pipeline.pages(AuthRoutes.routes).length, cursor: Cursor.encode !== undefined }))
`

const consumer = `
import { Effect, type Option } from "effect"
import { Users } from "effect-framework/auth"
import { type Identity } from "effect-framework/session"

export const who = (email: string): Effect.Effect<Option.Option<Identity.Identity>, never, Users.Users> =>
  Effect.flatMap(Users.Users, (users) => users.fetch(email))
`

describe("the package", () => {
  let packed: Packed
  let command: string
  let project: string
  let told: string
  let complaints: string

  beforeAll(async () => {
    packed = await pack()
    command = await unpack(packed)
    const words = ["new", "shop", "--framework", `file:../${packed.tarball}`]
    told = (await run(process.execPath, [command, ...words], { cwd: packed.folder })).stdout
    project = join(packed.folder, "shop")
    complaints = await install(project)
  }, 1_200_000)

  afterAll(() => packed?.remove())

  it("holds what a user needs and nothing else", () => {
    expect(packed.paths).toEqual(expect.arrayContaining(["dist/app/index.d.ts", "LICENSE", "template/gitignore"]))
    const ours =
      /^(?:dist\/(?:src|layers|routes|testing|app|create)\/|template\/|examples\/|docs\/(?!tools\/)|package\.json$|(?:README|AGENTS|CHANGELOG)\.md$|LICENSE$)/
    expect(packed.paths.filter((path) => !ours.test(path))).toEqual([])
  })

  it("works under plain Node", async () => {
    writeFileSync(join(project, "app.mjs"), program)
    const { stdout } = await run(process.execPath, ["app.mjs"], { cwd: project })
    expect(JSON.parse(stdout)).toEqual({ same: true, again: false, routes: expect.any(Number), cursor: true })
  }, 240_000)

  it("runs the program of the README", async () => {
    const example = readFileSync(join(root, "docs", "examples", "readme.ts"), "utf8")
    writeFileSync(join(project, "teapots.mjs"), transformSync(example, { loader: "ts" }).code)
    const { stop, url } = await serveFile(project, "teapots.mjs")
    try {
      const visitor = TestClient.make(url)
      const password = "a quiet harbour"
      const form = { email: "cleo@example.com", password, password_confirmation: password }
      const tea = Effect.zipRight(visitor.submit("/register", form), visitor.get("/tea"))
      expect((await Effect.runPromise(tea)).body).toBe("Tea for cleo@example.com")
    } finally {
      await stop()
    }
  }, 240_000)

  it("brings its command", async () => {
    const { stdout } = await run(join("node_modules", ".bin", "effect-framework"), ["--help"], { cwd: project })
    expect(stdout).toContain("effect-framework new FOLDER")
  })

  describe("a project of one's own", () => {
    it("is told the next two commands", () => {
      expect(told).toMatch(/^shop created with \d+ files\. Next:\n\n {2}cd shop && npm install\n {2}npm run dev\n$/)
    })

    it("installs without a complaint about the project", () => {
      // What npm says about settings of the person who runs it is not about the project.
      expect(complaints.replaceAll(/^npm warn Unknown .*\n/gm, "")).toBe("")
    })

    it("has types that the strict compiler accepts, with those of the package", async () => {
      writeFileSync(join(project, "src", "Consumer.ts"), consumer)
      await run("npm", ["run", "check"], { cwd: project })
    }, 240_000)

    it("is checked without the types of packages that its own code does not use", async () => {
      const compiler = join("node_modules", "typescript", "lib", "tsc.js")
      const { stdout } = await run(process.execPath, [compiler, "--listFilesOnly"], { cwd: project })
      const packages = [...stdout.matchAll(/.*\/node_modules\/((?:@[^/]+\/)?[^/\n]+)/g)].map(([, name]) => name)
      expect(packages).toContain("effect-framework")
      const unused = ["@effect/cli", "@effect/printer", "@effect/sql-pg", "nodemailer", "oauth4webapi", "openid-client"]
      expect(unused.filter((name) => packages.includes(name))).toEqual([])
    }, 240_000)

    it("passes its tests", async () => {
      // vitest's own limits are short for a busy machine.
      const limits = ["--testTimeout=240000", "--hookTimeout=240000"]
      const env = { ...process.env, NO_COLOR: "1" }
      const { stdout } = await run("npm", ["test", "--", ...limits], { cwd: project, env })
      expect(stdout).toMatch(/Tests {2}12 passed \(12\)/)
    }, 240_000)

    it("runs: someone signs up, keeps a note, and shows in the metrics", async () => {
      const { said, stop, url } = await serve(project, "dev")
      try {
        const visitor = TestClient.make(url)
        const responses = Effect.gen(function* () {
          const password = "a quiet harbour"
          const form = { email: "ada@example.com", password, password_confirmation: password }
          return {
            home: (yield* visitor.get("/")).text,
            signedUp: (yield* visitor.submit("/register", form)).location,
            kept: (yield* visitor.submit("/notes", { text: "Order cups" })).location,
            notes: (yield* visitor.get("/notes")).text,
            probe: (yield* visitor.get("/livez")).json,
            metrics: (yield* visitor.get("/metrics")).body
          }
        })
        expect(await Effect.runPromise(responses)).toEqual({
          home: expect.stringContaining("Welcome to shop"),
          signedUp: "/account",
          kept: "/notes",
          notes: expect.stringContaining("Order cups"),
          probe: { status: "ok" },
          metrics: expect.stringMatching(/^http_requests_total [1-9]/m)
        })
        expect(readFileSync(join(project, ".gitignore"), "utf8")).toContain("storage/")
        expect(said.filter((line) => line.includes("WARN"))).toEqual([])
      } finally {
        await stop()
      }
    }, 240_000)

    describe("from its build", () => {
      const scope = Effect.runSync(Scope.make())
      let served: Served
      let mails: SmtpServer.Running
      let env: Readonly<Record<string, string>>

      beforeAll(async () => {
        mails = await Effect.runPromise(Scope.extend(SmtpServer.serve(), scope))
        const mail = { MAIL_HOST: "127.0.0.1", MAIL_PORT: String(mails.port), MAIL_SECURE: "none", MAIL_QUEUE: "1" }
        env = { WORKERS: "2", ...mail }
        served = await serve(project, "start", env)
      }, 240_000)

      afterAll(async () => {
        await served?.stop()
        await Effect.runPromise(Scope.close(scope, Exit.void))
      })

      const execute = (command: string, ...words: ReadonlyArray<string>) =>
        run(command, words, { cwd: project, env: { ...process.env, ...env } })

      it("serves with as many workers as WORKERS says", () => {
        const line = /^listening on \S+ \(production, SQLite storage\/shop\.sqlite, 2 workers, mail by queue\)$/
        expect(served.said.filter((text) => line.test(text))).toHaveLength(1)
        // The only process with a mark is the supervisor.
        const [supervisor, ...others] = readdirSync(join(project, "storage", "runs")).map((name) =>
          Number.parseInt(name, 10)
        )
        expect(others).toEqual([])
        const children = readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, "utf8")
        expect(children.trim().split(/\s+/)).toHaveLength(2)
      })

      it("is warned about the sender of its e-mails, and that their links lead nowhere", () => {
        const warnings = served.said.filter((line) => line.includes('"WARN"')).map((line) => JSON.parse(line).message)
        expect(warnings).toEqual([
          expect.stringMatching(/^MAIL_FROM is no-reply@localhost: /),
          expect.stringMatching(/^APP_URL is http:\/\/localhost:8087: /)
        ])
      })

      it("sends the e-mails that it has queued", async () => {
        const password = "a quiet harbour"
        const form = { email: "dora@example.com", password, password_confirmation: password }
        const { location } = await Effect.runPromise(TestClient.make(served.url).submit("/register", form))
        expect([location, mails.received]).toEqual(["/account", []])
        const queued = async () => (await execute(process.execPath, "dist/main.js", "queue", "list")).stdout
        // A line about the jobs of `accounts` follows where a sweep of every tenth minute has just run.
        await expect.poll(queued, { timeout: 60_000 }).toMatch(/^ready 1\ndelayed 0\nfailed 0\n/)
        const { stderr } = await execute("npm", "run", "queue", "--", "run", "mail", "--once")
        expect(stderr).toContain("sent 1, ready 0, delayed 0, failed 0")
        expect(mails.received.map(({ to }) => to)).toEqual([["dora@example.com"]])
      }, 240_000)

      it("has the other commands", async () => {
        const command = async (...words: ReadonlyArray<string>) =>
          (await execute(process.execPath, "dist/main.js", ...words)).stdout
        expect(await command("migrate")).toBe("nothing to apply, the schema is up to date\n")
        expect(await command("keys", "rotate")).toContain("a new key signs cookies")
        const help = await command("--help")
        expect(await command("export", "notes", "--format", "csv")).toMatch(/^id,owner_id,text\r\n/)
        for (const name of ["migrate", "queue run", "ship", "keys rotate", "export"])
          expect(help).toContain(`- ${name} `)
      }, 240_000)

      it("guards its notes", async () => {
        const { location, status } = await Effect.runPromise(TestClient.make(served.url).get("/notes"))
        expect([status, location]).toEqual([303, "/login"])
      })

      it("serves its API to a program without cookies, and describes it", async () => {
        const client = TestClient.make(served.url)
        const send = (method: string, path: string, json?: unknown) =>
          Effect.map(client.request(path, { method, json }), (response) => [response.status, response.json])
        const responses = Effect.gen(function* () {
          const account = { email: "eve@example.com", password: "a quiet harbour" }
          const { json } = yield* client.request("/api/bearer/sign-up", { method: "POST", json: account })
          const refused = yield* send("GET", "/api/notes")
          const signedUp = json as { readonly bearer: { readonly token: string } }
          client.headers.set("authorization", `Bearer ${signedUp.bearer.token}`)
          return {
            refused,
            created: yield* send("POST", "/api/notes", { text: "Order cups" }),
            listed: yield* send("GET", "/api/notes"),
            document: yield* send("GET", "/openapi.json"),
            page: (yield* client.get("/api/docs")).text
          }
        })
        const note = { text: "Order cups", id: expect.any(Number) }
        expect(await Effect.runPromise(responses)).toMatchObject({
          refused: [401, { _tag: "Unauthenticated" }],
          created: [201, note],
          listed: [200, { items: [note], total: 1 }],
          document: [200, { openapi: "3.1.0", info: { title: "shop" }, paths: { "/api/notes/{id}": { put: {} } } }],
          page: expect.stringContaining("Change a note")
        })
      })

      Browser.describeBrowser("in a browser", () => {
        it.scopedLive(
          "takes a person from the first page to a note",
          () =>
            Effect.gen(function* () {
              const { complaints, page } = yield* Browser.watch(yield* Browser.launch, { baseURL: served.url })
              const text = yield* Effect.promise(async () => {
                const click = (target: Locator) => Browser.navigate(page, () => target.click())
                await page.goto("/")
                await click(page.getByRole("main").getByRole("link", { name: "notes" }))
                await click(page.getByRole("main").getByRole("link", { name: "Sign up" }))
                await page.getByLabel("E-mail", { exact: true }).fill("bea@example.com")
                await page.getByLabel("Password", { exact: true }).fill("a quiet harbour")
                await page.getByLabel("Password, once more", { exact: true }).fill("a quiet harbour")
                await click(page.getByRole("button", { name: "Create account" }))
                await click(page.getByRole("link", { name: "Notes" }))
                await page.getByText("You have no notes yet.").waitFor()
                await page.getByLabel("A new note").fill(" ")
                await click(page.getByRole("button", { name: "Keep it" }))
                await page.getByText("Write something.").waitFor()
                await page.getByLabel("A new note").fill("Order <cups>")
                await click(page.getByRole("button", { name: "Keep it" }))
                await page.getByText("Noted.").waitFor()
                return page.locator("main").innerText()
              })
              expect(text).toContain("Order <cups>")
              expect(yield* violations(page)).toEqual([])
              // The browser notes the form that was refused.
              expect(complaints).toEqual([expect.stringContaining("422")])
            }),
          240_000
        )
      })
    })
  })
})
