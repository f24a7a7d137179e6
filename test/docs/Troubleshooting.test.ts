// Every message explains itself: a failed start and a refused program name a heading of docs/troubleshooting.md that is there,
// and every typed failure is told of with its cause and its repair.
import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import * as Findings from "../../app/commands/Findings.ts"
import * as Tables from "../../layers/database/Tables.ts"
import * as ApiScopes from "../../src/auth/ApiScopes.ts"
import * as ProfileDefinition from "../../src/auth/internal/profile/ProfileDefinition.ts"
import * as CronJob from "../../src/jobs/CronJob.ts"
import * as Job from "../../src/jobs/Job.ts"
import * as Column from "../../src/pagination/Column.ts"
import { root } from "../support/Demo.ts"
import { slug } from "../../site/Navigation.ts"
import { code, read, rows } from "./Pages.ts"

const page = read("docs/troubleshooting.md")

/** The text below a heading, up to the next of its level or above. */
const section = (path: string, anchor: string): string => {
  const parts = read(path).split(/^(#{2,3} .*)$/m)
  const at = parts.findIndex((part) => /^#{2,3} /.test(part) && slug(part.replace(/^#+ /, "")) === anchor)
  return at < 0 ? "" : (parts[at + 1] ?? "")
}

const sources = ["src", "layers", "routes", "app"].flatMap((storey) =>
  readdirSync(join(root, storey), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => ({ path: `${storey}/${name}`, text: read(`${storey}/${name}`) }))
)

describe("a start that fails", () => {
  // A worker that has printed its reason leaves nothing to say.
  const thrown = sources.flatMap(({ path, text }) =>
    Array.from(text.matchAll(/new StartupError\(\{[^]*?\}\)/g), ([made]) => ({ path, made })).filter(
      ({ made }) => !made.includes('reason: ""')
    )
  )
  const marked = sources.flatMap(({ path, text }) =>
    Array.from(text.matchAll(/get \[StartupLine\.symbol\]\(\)[^]*?\n {2}\}/g), ([made]) => ({ path, made }))
  )

  it("names its entry, wherever it comes from", () => {
    expect([thrown.length, marked.length]).toEqual([8, 8])
    expect(thrown.filter(({ made }) => !/entry: "[a-z-]+"/.test(made))).toEqual([])
    expect(marked.filter(({ made }) => !/return "[a-z-]+"/.test(made))).toEqual([])
  })

  it("leads to a heading with a cause and a repair", () => {
    const entries = [
      "a-setting",
      ...[...thrown, ...marked].map(({ made }) => /(?:entry:|return) "([a-z-]+)"/.exec(made)?.[1] ?? "")
    ]
    expect(new Set(entries).size).toBe(16)
    expect(entries.filter((entry) => section("docs/troubleshooting.md", entry).trim().length < 80)).toEqual([])
  })
})

describe("a finding of doctor", () => {
  it("leads to a heading that is there", () => {
    expect(Object.values(Findings.entries).filter((entry) => section("docs/troubleshooting.md", entry) === "")).toEqual(
      []
    )
  })
})

describe("a declaration that is refused when its module is loaded", () => {
  // The mistakes of a program that no compiler sees.
  const declared: ReadonlyArray<readonly [RegExp, () => unknown]> = [
    [/^The job tea has an unknown time zone: Mars/, () => CronJob.make("tea", "0 9 * * *", { zone: "Mars" })],
    [/^The job tea has the malformed expression 0 9 \*: /, () => CronJob.make("tea", "0 9 *")],
    [/^The job tea needs an interval of at least a second/, () => CronJob.every("tea", "10 millis")],
    [/^A job is named in lower case/, () => Job.make("Tea", { payload: Schema.Void })],
    [
      /^The timeout of the transactional job tea must be below/,
      () => Job.make("tea", { payload: Schema.Void, transactional: true, timeout: "2 hours" })
    ],
    [/^A scope is printable ASCII/, () => ApiScopes.make({ "read notes": "Read" })],
    [/^A profile cannot have a field named email/, () => ProfileDefinition.checkNames(["email"])],
    [/^A field of a profile has letters/, () => ProfileDefinition.checkNames(["first-name"])],
    [/^Every stored field of a profile/, () => ProfileDefinition.defaultsOf(Schema.Struct({ role: Schema.String }))],
    [/^A schema or prefix has lower-case letters/, () => Tables.make({ prefix: "Auth_" })],
    [/^the scale of a decimal/, () => Column.decimal(99)]
  ]

  it.each(declared)("names its entry: %s", (message, declare) => {
    let thrown: unknown
    try {
      declare()
    } catch (error) {
      thrown = error
    }
    const text = thrown instanceof Error ? thrown.message : ""
    expect(text).toMatch(message)
    const [, entry = ""] = / \(see effect-framework\/docs\/troubleshooting\.md#([a-z-]+)\)$/.exec(text) ?? []
    expect(section("docs/troubleshooting.md", entry).trim().length).toBeGreaterThan(80)
  })

  it("is thrown with its entry, wherever it is thrown", () => {
    const entries = sources.flatMap(({ text }) =>
      Array.from(text.matchAll(/guided\(\w+, "([a-z-]+)"\)/g), ([, entry = ""]) => entry)
    )
    expect(new Set(entries).size).toBeGreaterThanOrEqual(4)
    expect(entries.filter((entry) => section("docs/troubleshooting.md", entry).trim().length < 80)).toEqual([])
    const silent = sources.filter(({ text }) => text.includes("new RangeError(") && !text.includes("guided("))
    expect(silent.map(({ path }) => path)).toEqual([])
  })
})

describe("a program that the compiler refuses", () => {
  it("is told a heading that is there", () => {
    const named = sources.flatMap(({ text }) =>
      Array.from(
        text.matchAll(/^ {2}readonly "[^"]*\(effect-framework\/docs\/troubleshooting\.md#([a-z-]+)\)": /gm),
        ([, entry = ""]) => entry
      )
    )
    expect([...named].sort()).toEqual(["a-missing-service", "an-unhandled-failure", "no-guard"])
    expect(named.filter((entry) => section("docs/troubleshooting.md", entry).trim().length < 80)).toEqual([])
    const silent = sources.filter(({ text }) => /^ {2}readonly "A (?:route|page) [^(]*": /m.test(text))
    expect(silent.map(({ path }) => path)).toEqual([])
  })

  it("finds the name of what is missing", () => {
    for (const name of [
      "UnhandledFailure",
      "UnguardedPage",
      "CurrentIdentity",
      "MissingService",
      "Handled<",
      "ApiHandlers<"
    ]) {
      expect(page).toContain(name)
    }
  })
})

describe("a typed failure", () => {
  const told = rows(page)
    .filter((cells) => cells.length === 2)
    .flatMap(([names = "", place = ""]) => {
      const [, file = "", anchor = ""] = /\]\(([\w-]+\.md)#([\w-]+)\)/.exec(place) ?? []
      return file === "" ? [] : code(names).map((name) => ({ name, file: `docs/${file}`, anchor }))
    })
  const here = rows(page)
    .filter(([, when = "", advice = ""]) => when !== "" && advice !== "")
    .flatMap(([names = ""]) => code(names))
  const failures = new Set(
    sources.flatMap(({ text }) =>
      Array.from(text.matchAll(/^export class (\w+) extends Schema\.TaggedError/gm), ([, name = ""]) => name)
    )
  )
  // An error that only its type is public of is caught by its tag.
  const errors = readdirSync(join(root, "docs", "api"))
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) =>
      Array.from(read(`docs/api/${name}`).matchAll(/^- \*\*`(\w+)`\*\* (?:error|type)/gm), ([, error = ""]) => error)
    )
    .filter((name) => failures.has(name))

  it("of the public surface has its cause and its repair on this page, or where it leads to", () => {
    expect(errors.length).toBeGreaterThan(50)
    const places = Array.from(new Set(told.map(({ anchor, file }) => `${file}#${anchor}`)), (place) => place.split("#"))
    const explained = places
      .flatMap(([file = "", anchor = ""]) => rows(section(file, anchor)))
      .filter(([, when = "", advice = ""]) => when !== "" && advice !== "")
      .flatMap(([names = ""]) => code(names).map((name) => name.replace(/^.*\./, "")))
    expect(explained.length).toBeGreaterThan(40)
    const lost = errors.filter((error) => !here.includes(error) && !explained.includes(error))
    expect(lost).toEqual([])
    const index = new Set([...here, ...told.map(({ name }) => name)])
    expect(errors.filter((error) => !index.has(error))).toEqual([])
  })

  it("that a client can meet is there, too", () => {
    const answered = sources
      .filter(({ path }) => /^(?:src\/http|routes\/auth\/api)\//.test(path))
      .flatMap(({ text }) =>
        Array.from(text.matchAll(/^export class (\w+) extends Schema\.TaggedError/gm), ([, name = ""]) => name)
      )
    expect(answered.length).toBeGreaterThan(10)
    expect(answered.filter((name) => ![...here, ...told.map(({ name }) => name)].includes(name))).toEqual([])
  })
})
