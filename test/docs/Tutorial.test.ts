// The tutorial, chapter after chapter in one new project: its files compile, its tests pass, and over a socket the program
// does what the chapter says.
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer, type Scope } from "effect"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { command } from "../../create/Command.ts"
import { manifest } from "../../create/Package.ts"
import * as TestClient from "../../testing/TestClient.ts"
import * as Project from "../examples/Project.ts"
import * as Databases from "../support/Databases.ts"
import * as Demo from "../support/Demo.ts"
import { eventually } from "../support/Eventually.ts"
import { pack, type Packed, run } from "../support/Packed.ts"
import * as Panel from "../support/Panel.ts"
import * as SmtpServer from "../support/SmtpServer.ts"
import * as Chapters from "./Chapters.ts"

const ann = { name: "Ann", email: "ann@example.com", password: "a quiet harbour" }
const quick = { AUTH_ARGON2_MEMORY: "19456", AUTH_ARGON2_TIME: "2" }

const tsx = join("node_modules", "tsx", "dist", "cli.mjs")
const framework = join("node_modules", "effect-framework", "dist", "create", "main.js")
const built = join("dist", "main.js")

let packed: Packed
let project = ""
/** What the reader of the chapter has seen, with the port of the tutorial. */
let seen = ""

const see = (text: string): string => {
  // On a port that is chosen in advance the places are those of `APP_URL`.
  const places = text.replace(/http:\/\/127\.0\.0\.1:\d+\//g, "http://localhost:8087/")
  seen += `${places.replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:8087")}\n`
  return text
}

const compiler = (bin: string) => run(process.execPath, [join("node_modules", bin, "bin", "tsc")], { cwd: project })

interface Ended {
  readonly code: number | null
  readonly output: string
}

/** Runs a program of the project to its end. */
const ended = Effect.fnUntraced(function* (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) {
  const process = yield* Demo.start(args, { ...quick, ...env }, project)
  const { code } = yield* process.ended
  const { stderr, stdout } = process.output()
  const result: Ended = { code, output: see(stdout + stderr) }
  return result
}, Effect.scoped)

// The bundle starts in a fraction of the time that the sources take; the first chapter has both.
const bundled = Effect.promise(() => run(process.execPath, [framework, "build"], { cwd: project }))
const main = (...words: ReadonlyArray<string>) => ended([built, ...words])

interface Served {
  readonly url: string
  readonly process: Demo.Process
}

const served = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const process = yield* Demo.start(args, { PORT: "0", ...quick, ...env }, project)
    const [, url = ""] = yield* process.says(/listening on (http:\/\/\S+)/)
    yield* process.says(/metrics {2}http|production/)
    see(process.output().stdout)
    const result: Served = { url, process }
    return result
  })

/** What `npm run dev` serves. */
const developed = (env: Readonly<Record<string, string>> = {}) =>
  served([built], { FRAMEWORK_ENVIRONMENT: "development", ...env })

const signedIn = Effect.fnUntraced(function* (url: string) {
  const browser = TestClient.make(url)
  expect((yield* browser.submit("/login", ann)).status).toBe(303)
  return browser
})

const sighting = (fields: Readonly<Record<string, string>>, file: Blob): FormData => {
  const form = new FormData()
  const all = { species: "Puffin", place: "Harbour", birds: "2", seen_on: "2026-05-20", ...fields }
  for (const [name, value] of Object.entries(all)) form.append(name, value)
  form.append("picture", file, "puffin.png")
  return form
}

const png = new Blob([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")], { type: "image/png" })

/** The first chapter begins with the program that is removed there, and meets its database. */
const before = Effect.gen(function* () {
  const { url } = yield* served([framework, "dev"])
  expect((yield* TestClient.make(url).get("/")).text).toContain("Welcome to birds")
}).pipe(Effect.scoped)

const accounts = Effect.gen(function* () {
  expect((yield* main("migrate")).code).not.toBe(0)
  rmSync(join(project, "storage"), { recursive: true })
  const { url } = yield* developed()
  const browser = TestClient.make(url)
  expect((yield* browser.get("/register")).text).toContain("Name")
  expect((yield* browser.submit("/register", { ...ann, role: "warden" })).location).toBe("/account")
  expect((yield* browser.get("/account")).text).toContain("Role member")
  const refused = yield* browser.get("/members")
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("This page is for wardens.")])
  yield* ended([tsx, "src/main.ts", "appoint", ann.email])
  expect((yield* browser.get("/members")).text).toContain("Ann warden")
  expect((yield* browser.get("/")).text).toContain("Good to see you, Ann.")
})

/** What the file is while the effect runs. */
const changed = <A, E, R>(path: string, change: (text: string) => string, effect: Effect.Effect<A, E, R>) => {
  const file = join(project, path)
  const text = readFileSync(file, "utf8")
  return Effect.acquireUseRelease(
    Effect.sync(() => {
      expect(change(text)).not.toBe(text)
      writeFileSync(file, change(text))
    }),
    () => effect,
    () => Effect.sync(() => writeFileSync(file, text))
  )
}

const lists = Effect.gen(function* () {
  const withoutIndex = Effect.scoped(
    Effect.gen(function* () {
      yield* bundled
      const { process } = yield* developed({ STORAGE_DIR: join(project, "storage", "other") })
      see((yield* process.says(/.*CREATE INDEX.*/))[0])
    })
  )
  yield* changed("src/Tables.ts", (text) => text.replace(/^.*sightings_birds.*\n/m, ""), withoutIndex)
  yield* bundled
  yield* main("seed", ann.email)
  const { url } = yield* developed()
  const guest = TestClient.make(url)
  const first = yield* guest.get("/sightings")
  const [, next = ""] = /rel="next" href="([^"]+)"/.exec(first.body) ?? []
  expect(first.body.match(/<li>/g)).toHaveLength(10)
  expect((yield* guest.get(next.replaceAll("&amp;", "&"))).body.match(/<li>/g)).toHaveLength(10)
  expect((yield* guest.get("/sightings?q=tern&sort=-birds")).text).toContain("Arctic tern")
  const refused = yield* guest.json("GET", "/sightings?sort=colour")
  expect(refused.status).toBe(400)
  see(refused.body)
  const { output } = yield* main("export", "sightings", "--format", "csv")
  expect(output).toContain("Barn owl")
})

const forms = Effect.gen(function* () {
  const { url } = yield* developed()
  expect((yield* TestClient.make(url).get("/sightings/new")).location).toBe("/login")
  const browser = yield* signedIn(url)
  expect((yield* browser.submit("/sightings", sighting({}, png))).location).toBe("/sightings")
  const [, picture = ""] = /src="(\/pictures\/[^"]+)"/.exec((yield* browser.get("/sightings?q=puffin")).body) ?? []
  expect((yield* browser.get(picture)).headers.get("content-type")).toBe("image/png")
  const refused = yield* browser.submit("/sightings", sighting({ place: "Pier <1>" }, new Blob(["birds"])))
  expect([refused.status, refused.body]).toEqual([415, expect.stringContaining('value="Pier &lt;1&gt;"')])
  see(refused.text)
})

const api = Effect.gen(function* () {
  const { url } = yield* developed()
  const env = { BIRDS_URL: url, BIRDS_EMAIL: ann.email, BIRDS_PASSWORD: ann.password }
  expect((yield* ended([tsx, "src/client.ts"], env)).output).toMatch(/^reported as number \d+\n\d+ birds so far\n$/)
  const guest = TestClient.make(url)
  expect((yield* guest.get("/api/docs")).text).toContain("Report a sighting")
  expect((yield* guest.request("/openapi.json")).json).toMatchObject({ paths: { "/api/sightings": {} } })
  const refused = yield* guest.request("/api/sightings", { json: {} })
  expect(refused.status).toBe(401)
  see(refused.body)
})

const jobs = Effect.gen(function* () {
  const complaints = Effect.promise(() => compiler("typescript-7").then(String, ({ stdout }) => String(stdout)))
  see(
    yield* changed(
      "src/App.ts",
      (text) => text.replace("NodeHttpPlatform.layer, jobs", "NodeHttpPlatform.layer, Digest.layer"),
      complaints
    )
  )
  const { url } = yield* developed()
  const browser = yield* signedIn(url)
  const [, action = ""] = /action="(\/confirmations\/\d+)"/.exec((yield* browser.get("/confirmations")).body) ?? []
  expect((yield* browser.submit(action, {})).location).toBe("/confirmations")
  yield* eventually(Panel.get(url, "/_debug/mail"), ({ body }) => body.includes("Confirmed: "))
  yield* main("queue", "list")
})

const operations = Effect.gen(function* () {
  // `npm run build` is both.
  yield* Effect.promise(() => run("npm", ["run", "check"], { cwd: project }))
  yield* bundled
  const scope = yield* Effect.scope
  const database = yield* Layer.buildWithScope(Databases.postgres.layerEmpty, scope)
  const mails = yield* SmtpServer.serve()
  const bare = {
    DATABASE_URL: Context.get(database, Databases.TestDatabase).url,
    FRAMEWORK_ENVIRONMENT: "production",
    PORT: "0"
  }
  const env = {
    ...bare,
    APP_URL: "https://birds.example.com",
    TRUSTED_PROXIES: "127.0.0.1",
    MAIL_HOST: "127.0.0.1",
    MAIL_PORT: String(mails.port),
    MAIL_SECURE: "none",
    MAIL_FROM: "birds@example.com"
  }
  expect((yield* ended([built, "migrate"], env)).code).toBe(0)
  expect((yield* ended([built, "doctor"], bare)).code).toBe(1)
  expect((yield* ended([built, "doctor"], env)).code).toBe(0)
  const { process, url } = yield* served([built], { ...env, WORKERS: "2" })
  const browser = TestClient.make(url)
  const secure = { host: "birds.example.com", "x-forwarded-proto": "https" }
  for (const [name, value] of Object.entries(secure)) browser.headers.set(name, value)
  expect((yield* browser.submit("/register", ann)).location).toBe("/account")
  expect((yield* browser.submit("/sightings", sighting({}, png))).location).toBe("/sightings")
  for (const path of ["/livez", "/readyz", "/metrics"]) {
    const response = yield* browser.request(path)
    expect([path, response.status]).toEqual([path, 200])
    see(response.body)
  }
  expect((yield* ended([built, "reload"], env)).code).toBe(0)
  expect((yield* browser.get("/sightings")).text).toContain("Puffin")
  process.signal("SIGTERM")
  expect((yield* process.ended).code).toBe(0)
})

/** What one does in each chapter. */
const visits: ReadonlyArray<Effect.Effect<void, unknown, Scope.Scope>> = [accounts, lists, forms, api, jobs, operations]

describe("the tutorial", () => {
  beforeAll(async () => {
    packed = await pack()
    expect(command(["new", "birds", "--framework", `file:../${packed.tarball}`], packed.folder).status).toBe(0)
    project = join(packed.folder, "birds")
    await Project.link(packed, project)
    await Effect.runPromise(before)
  }, 600_000)

  afterAll(() => packed?.remove())

  it("has six chapters, and shows no code without the name of its file", () => {
    expect(Chapters.chapters.map(({ path }) => path.replace(/^.*\/|-.*$/g, ""))).toEqual(["1", "2", "3", "4", "5", "6"])
    expect(Chapters.chapters.map(Chapters.unnamed)).toEqual([0, 0, 0, 0, 0, 0])
  })

  it("has the scripts of a new project, and installs the versions that the tests run with", () => {
    const lines = Chapters.chapters.flatMap((chapter) => Chapters.linesOf(chapter, "sh"))
    const { scripts } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"))
    const named = lines.flatMap((line) => /\bnpm (?:run (\w+)|(start|test)\b)/.exec(line)?.slice(1, 3) ?? [])
    expect(named.filter((name) => name !== undefined && !Object.hasOwn(scripts, name))).toEqual([])
    const [, driver = "", version = ""] = /^npm install (\S+)@(\S+) pg$/m.exec(lines.join("\n")) ?? []
    expect(`${manifest.devDependencies[driver]}.`).toContain(`^${version}.`)
  })

  describe.each(Chapters.chapters.map((chapter, at) => ({ chapter, at, name: chapter.path })))(
    "$name",
    ({ at, chapter }) => {
      beforeAll(() => {
        if (at > 0) seen = ""
        Chapters.remove(project, chapter)
        expect(Chapters.write(project, chapter)).toEqual([])
      })

      it("compiles", async () => {
        await compiler("typescript-7")
      })

      it("passes its own tests", async () => {
        // One process for all files, which loads the framework once.
        const limits = ["--no-isolate", "--no-file-parallelism", "--testTimeout=240000", "--hookTimeout=240000"]
        const env = { ...process.env, NO_COLOR: "1" }
        const vitest = join("node_modules", "vitest", "vitest.mjs")
        const { stdout } = await run(process.execPath, [vitest, "run", ...limits], { cwd: project, env })
        expect(stdout).toMatch(/Tests {2}\d+ passed \(\d+\)/)
      })

      it.scopedLive("does what it says", () =>
        Effect.gen(function* () {
          yield* bundled
          yield* visits[at] ?? Effect.dieMessage("A chapter without a visit")
          expect(Chapters.linesOf(chapter, "text").filter((line) => !seen.includes(line))).toEqual([])
        })
      )
    }
  )
})
