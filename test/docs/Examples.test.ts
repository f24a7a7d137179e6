// Every block of the documentation is a file of docs/examples that is compiled and run, or is checked in another way.
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { readdirSync } from "node:fs"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import { entryPoints } from "../../docs/tools/Exports.ts"
import { bundleExample } from "../support/Bundle.ts"
import * as Demo from "../support/Demo.ts"
import * as Visitor from "../support/Visitor.ts"
import { folder as tutorial } from "./Chapters.ts"
import { compiled } from "./Compiled.ts"
import { type Block, pages, read } from "./Pages.ts"

const run = promisify(execFile)

const folder = "docs/examples"
const examples = readdirSync(join(Demo.root, folder)).map((name) => {
  const path = `${folder}/${name}`
  return { path, text: read(path) }
})
const programs = examples.map(({ path }) => path).filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))

// `Tutorial.test.ts` follows the tutorial.
const blocks = pages.filter(({ path }) => !path.startsWith(tutorial)).flatMap((page) => page.blocks)

/** How the files are named that a block of this language shows. */
const files: Readonly<Record<string, RegExp>> = {
  ts: /\.ts$/,
  ini: /\.(?:service|env|ini)$/,
  haproxy: /\.cfg$/,
  nginx: /\.conf$/,
  dockerfile: /Dockerfile$/,
  yaml: /\.yml$/,
  sql: /\.sql$/
}

const trimmed = (text: string): string =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim())
    .join("\n")

/** Whether the lines of an excerpt stand together in a file, whatever their indentation. */
const isPartOf = (excerpt: string, text: string): boolean => `\n${trimmed(text)}\n`.includes(`\n${trimmed(excerpt)}\n`)

const isShown = ({ language, text }: Block): boolean =>
  examples.some((example) => files[language]?.test(example.path) === true && isPartOf(text, example.text))

const scripts: Readonly<Record<string, string>> = JSON.parse(read("package.json")).scripts
const bins: Readonly<Record<string, string>> = JSON.parse(read("package.json")).bin

// Programs of the machine that an operator has; the tests do not need them.
const tools = new Set([
  "cd",
  "createdb",
  "curl",
  "export",
  "journalctl",
  "pg_dump",
  "pg_restore",
  "psql",
  "sqlite3",
  "sudo",
  "systemctl"
])

const isCommand = (command: string): boolean => {
  const [name = "", first = "", second = ""] = command.replace(/^(?:[A-Z][A-Z0-9_]*=\S* +)*/, "").split(/\s+/)
  if (name === "npm" && first === "run") return Object.hasOwn(scripts, second)
  if (name === "npm") return ["ci", "install", "pack", "pkg"].includes(first) || Object.hasOwn(scripts, first)
  // What the build writes, by the file that it is bundled from.
  if (name === "node") return scripts["bundle"]?.includes(` ${first.replace(/^dist\/(.*)\.js$/, "$1.ts")} `) === true
  if (name === "npx") return Object.hasOwn(bins, first)
  return tools.has(name)
}

/** The commands of a block, each without what follows it in a comment. */
const commands = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => line.replace(/(^|\s)#.*$/, "").trim())
    .filter((line) => line !== "")
    .flatMap((line) => line.split(/\s*(?:&&|;|\|)\s*/))

/** What is wrong with a block; nothing when it is proven here or by the run of the program before it. */
const fault = (block: Block, before: Block | undefined): string | undefined => {
  const { language, place, text } = block
  if (Object.hasOwn(files, language)) {
    return isShown(block) ? undefined : `${place}: no file of ${folder} holds this ${language} block`
  }
  if (language === "sh") {
    const unknown = commands(text).filter((command) => !isCommand(command))
    return unknown.length === 0 ? undefined : `${place}: no such command: ${unknown.join(", ")}`
  }
  if (language !== "text") return `${place}: nothing checks a block of the language "${language}"`
  return before?.language === "ts" && block.follows ? undefined : `${place}: no program stands before this output`
}

/** What a page says that a program prints; nothing for a server. */
const printed = (path: string): string | undefined => {
  const text = read(path)
  const at = blocks.findIndex((block) => block.language === "ts" && block.text === text)
  const next = blocks[at + 1]
  return at >= 0 && next?.language === "text" && next.follows ? next.text : undefined
}

// A log line has a time and a fiber that no page can know.
const stable = (output: string) => output.replace(/^timestamp=\S+ level=(\w+) fiber=\S+ message="(.*)"$/gm, "$1 $2")

describe("the documentation", () => {
  it("has blocks, programs and tests", () => {
    expect(blocks.length).toBeGreaterThan(20)
    expect(programs.length).toBeGreaterThan(8)
    expect(examples.filter(({ path }) => path.endsWith(".test.ts")).length).toBeGreaterThan(5)
  })

  it("has no block that nothing checks", () => {
    expect(blocks.flatMap((block, index) => fault(block, blocks[index - 1]) ?? [])).toEqual([])
  })

  it("shows every example whole", () => {
    const shown = new Set(blocks.map(({ text }) => text))
    expect(examples.filter(({ text }) => !shown.has(text)).map(({ path }) => path)).toEqual([])
  })

  it.each([
    ["a program of its own", { language: "ts", text: "const answer = 42\n" }],
    [
      "lines that do not stand together",
      { language: "ts", text: 'import { Effect } from "effect"\nNodeRuntime.runMain\n' }
    ],
    ["a script that does not exist", { language: "sh", text: "npm ci && npm run launch\n" }],
    ["output of nothing", { language: "text", text: "42\n" }],
    ["a language that is not checked", { language: "", text: "42\n" }]
  ])("would notice %s", (_, block) => {
    expect(fault({ ...block, place: "here:1", follows: false }, undefined)).toMatch(/^here:1: /)
  })
})

describe("the examples", () => {
  it("compile against the entry points of the package", async () => {
    expect((await compiled()).faults).toEqual([])
  }, 300_000)

  it("import what a program of one's own can import", () => {
    const entries = new Set(entryPoints(Demo.root).map(([name]) => name))
    const isOpen = (name: string) => /^(?:node:|effect$|@effect\/)/.test(name) || entries.has(name)
    const foreign = examples.flatMap(({ path, text }) =>
      Array.from(text.matchAll(/^import .* from "([^"]+)"$/gm), ([, name = ""]) => name)
        .filter((name) => !isOpen(name))
        .map((name) => `${path}: ${name}`)
    )
    expect(foreign).toEqual([])
  })
})

describe("a program that prints", () => {
  const printing = programs.flatMap((path) => {
    const output = printed(path)
    return output === undefined ? [] : [[path, output] as const]
  })

  it.scopedLive.each(printing)("prints what its page says: %s", ([path, output]) =>
    Effect.gen(function* () {
      const cwd = yield* Demo.folder
      const { stderr, stdout } = yield* Effect.promise(async () =>
        run(process.execPath, [await bundleExample(path)], { cwd })
      )
      expect(stable(stdout)).toBe(output)
      expect(stderr).toBe("")
    })
  )
})

interface Served {
  readonly app: Demo.Process
  readonly visitor: Visitor.Visitor
}

const account = ({ app, visitor }: Served) =>
  Effect.gen(function* () {
    expect(yield* visitor.get("/tea")).toMatchObject({ status: 303, location: "/login" })
    const form = yield* visitor.get("/register")
    expect(form.body).toContain("<title>Sign up | Teapots</title>")
    const person = { email: "ann@example.com", password: "quiet harbour" }
    const made = yield* visitor.submit("/register", person)
    expect(made).toMatchObject({ status: 303, location: "/account" })
    expect(made.headers.get("content-security-policy")).toContain("default-src 'none'")
    expect((yield* visitor.get("/tea")).body).toBe("Tea for ann@example.com")
    const [, link = ""] = yield* app.says(/To ann@example\.com[^]*?https:\/\/app\.example(\/verify\/\S+)/)
    expect((yield* visitor.get(link)).location).toBe("/account")
    expect((yield* visitor.get("/account")).body).toContain("<p>E-mail verified!</p>")
    // The link is in the letter, and nowhere else in what the program wrote.
    expect(app.output().stdout.split(link)).toHaveLength(2)
  })

const metrics = ({ visitor }: Served) =>
  Effect.gen(function* () {
    expect((yield* visitor.get("/tea")).body).toBe("Tea")
    const { body } = yield* visitor.get("/metrics")
    expect(body).toContain("\ncups_total 1\n")
    expect(body).toContain("\nhttp_requests_total 2\n")
    expect((yield* visitor.get("/livez")).body).toBe('{"status":"ok"}')
    expect((yield* visitor.get("/health")).status).toBe(200)
  })

const tea = ({ visitor }: Served) =>
  Effect.gen(function* () {
    expect(yield* visitor.get("/tea")).toMatchObject({ status: 303, location: "/login" })
    yield* visitor.get("/register")
    const made = yield* visitor.submit("/register", { email: "ann@example.com", password: "quiet harbour" })
    expect(made).toMatchObject({ status: 303, location: "/account" })
    expect((yield* visitor.get("/tea")).body).toBe("Tea for ann@example.com")
    expect((yield* visitor.get("/metrics")).body).toMatch(/^http_requests_total [1-9]/m)
  })

const mounted = ({ visitor }: Served) =>
  Effect.gen(function* () {
    const time = yield* visitor.get("/time")
    expect(time.body).toMatch(/^It is \d\d:\d\d:\d\d\.$/)
    expect(time.headers.get("x-request-id")).toBeNull()
    expect(yield* visitor.get("/tea")).toMatchObject({ status: 303, location: "/login" })
    yield* visitor.get("/register")
    yield* visitor.submit("/register", { email: "ann@example.com", password: "quiet harbour" })
    const tea = yield* visitor.get("/tea")
    expect([tea.body, tea.headers.get("x-request-id")]).toEqual(["Tea for ann@example.com", expect.any(String)])
  })

const order = ({ visitor }: Served) =>
  Effect.gen(function* () {
    yield* visitor.get("/register")
    yield* visitor.submit("/register", { email: "ann@example.com", password: "quiet harbour" })
    expect((yield* visitor.get("/order")).body).toBe("Tea for ann")
  })

const customer = ({ visitor }: Served) =>
  Effect.gen(function* () {
    expect((yield* visitor.get("/register")).body).toContain('<label for="display_name">Display name</label>')
    const person = { display_name: "Ann", email: "ann@example.com", password: "quiet harbour", role: "admin" }
    expect((yield* visitor.submit("/register", person)).location).toBe("/account")
    expect(yield* visitor.read("/account")).toContain("Display name Ann Role customer")
    expect((yield* visitor.get("/orders")).status).toBe(403)
  })

const errorsAlone = ({ app, visitor }: Served) =>
  Effect.gen(function* () {
    const json = { headers: { accept: "application/json" } }
    const html = { headers: { accept: "text/html" } }
    expect(yield* visitor.request("/cups/blue", json)).toMatchObject({ status: 409, json: { cup: "blue" } })
    const [page, body] = [yield* visitor.request("/boil", html), yield* visitor.request("/cups/red", json)]
    expect([page.status, body.status]).toEqual([500, 500])
    yield* app.says(/Reported: The kettle is empty \(GET \/boil\)\n/)
    yield* app.says(/Reported: No price for red \(GET \/cups\/:cup\)\n/)
    expect(app.output().stdout.match(/^Reported:/gm)).toHaveLength(2)
    return [page, body] as const
  })

const errorsAloneInDevelopment = (served: Served) =>
  Effect.map(errorsAlone(served), ([page, body]) => {
    expect(page.body).toContain("The kettle is empty</h1>")
    expect(page.body).toContain("<h2>Context</h2>")
    expect(body.json).toMatchObject({ error: "Error", message: "No price for red", trace: expect.any(Array) })
  })

const errorsAloneInProduction = (served: Served) =>
  Effect.map(errorsAlone(served), ([page, body]) => {
    expect(page.body).toContain("<h1>Internal Server Error</h1>")
    expect(page.body).not.toContain("kettle")
    expect(body.body).toBe('{"error":"Internal Server Error"}')
  })

const metricsAlone = ({ visitor }: Served) =>
  Effect.gen(function* () {
    expect((yield* visitor.get("/tea")).body).toBe("Tea")
    const { body } = yield* visitor.get("/metrics")
    expect(body).toContain("\ncups_total 1\n")
    expect(body).toMatch(/^process_uptime_seconds\{pid="\d+"\} /m)
    expect((yield* visitor.request("/health")).json).toMatchObject({ status: "ok" })
  })

const paginationAlone = ({ visitor }: Served) =>
  Effect.gen(function* () {
    const blue = { id: 3, name: "blue" }
    const page = yield* visitor.json("GET", "/cups?limit=1")
    expect(page.json).toEqual({ items: [blue], page: 1, pages: 3, limit: 1, total: 3 })
    expect(page.headers.get("x-total-count")).toBe("3")
    const part = yield* visitor.json("GET", "/api/cups?sort=name&limit=1&cursor=")
    expect(part.json).toMatchObject({ items: [blue] })
    const [, next = ""] = /<([^>]+)>; rel="next"/.exec(part.headers.get("link") ?? "") ?? []
    expect((yield* visitor.json("GET", next)).json).toMatchObject({ items: [{ name: "green" }] })
    expect((yield* visitor.json("GET", "/cups?cursor=oops")).status).toBe(400)
    expect((yield* visitor.json("GET", "/api/cups?cursor=oops")).json).toMatchObject({ _tag: "InvalidCursor" })
  })

const page = ({ visitor }: Served) =>
  Effect.map(visitor.get("/"), ({ status }) => expect(status, "the response to GET /").toBeLessThan(500))

/** What is done with a server, in the environment after its name if there is one; any other one is asked for its first page. */
const visits: Readonly<Record<string, (served: Served) => Effect.Effect<void>>> = {
  "accounts.ts": customer,
  "auth.ts": account,
  "errors-alone.ts development": errorsAloneInDevelopment,
  "errors-alone.ts production": errorsAloneInProduction,
  "metrics-alone.ts": metricsAlone,
  "metrics.ts": metrics,
  "mounting.ts": mounted,
  "own-database.ts": order,
  "pagination-alone.ts": paginationAlone,
  "readme.ts": tea
}

describe("a program that serves", () => {
  // Production is warned about e-mails that are files.
  const serving = programs
    .filter((path) => printed(path) === undefined)
    .flatMap((path) => {
      const named = Object.keys(visits).flatMap((name) => name.split(`${basename(path)} `).slice(1))
      return (named.length === 0 ? ["staging"] : named).map((environment) => [path, environment] as const)
    })

  it.scopedLive.each(serving)(
    "does so: %s in %s",
    ([path, environment]) =>
      Effect.gen(function* () {
        const cwd = yield* Demo.folder
        const env = {
          PORT: "0",
          APP_URL: "https://app.example",
          DATABASE_URL: `file:${join(cwd, "example.sqlite")}`,
          STORAGE_DIR: join(cwd, "storage"),
          AUTH_ARGON2_MEMORY: "19456",
          AUTH_ARGON2_TIME: "2",
          FRAMEWORK_ENVIRONMENT: environment
        }
        const app = yield* Demo.start([yield* Effect.promise(() => bundleExample(path))], env, cwd)
        const [, port = ""] = yield* app.says(/[Ll]istening on http:\/\/\S+?:(\d+)/)
        const visit = visits[`${basename(path)} ${environment}`] ?? visits[basename(path)] ?? page
        yield* visit({ app, visitor: Visitor.make(`http://127.0.0.1:${port}`) })
        expect(app.output().stderr).toBe("")
        app.signal("SIGTERM")
        yield* app.ended
      }),
    240_000
  )

  it("has a visit for each name that is spelled here", () => {
    const names = new Set(programs.map((path) => basename(path)))
    expect(Object.keys(visits).filter((name) => !names.has(name.split(" ")[0] ?? ""))).toEqual([])
  })
})
