// Every message explains itself: a failed start and a refused program name a heading of docs/troubleshooting.md that is there,
// and every typed failure is told of with its cause and its repair.
import { describe, expect, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import * as Checks from "../../app/commands/Checks.ts"
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
    expect([thrown.length, marked.length]).toEqual([8, 7])
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
    expect(Object.values(Checks.entries).filter((entry) => section("docs/troubleshooting.md", entry) === "")).toEqual(
      []
    )
  })
})

describe("a program that the compiler refuses", () => {
  it("is told a heading that is there", () => {
    const named = sources.flatMap(({ text }) =>
      Array.from(
        text.matchAll(/^ {2}readonly "[^"]*\(docs\/troubleshooting\.md#([a-z-]+)\)": /gm),
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
