// What the pages on decisions and on security promise to be complete about.
import { describe, expect, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { root } from "../support/Demo.ts"
import { code, read, rows } from "./Pages.ts"

describe("docs/decisions.md", () => {
  const { dependencies, devDependencies, overrides, peerDependencies, peerDependenciesMeta } = JSON.parse(
    read("package.json")
  )
  const reasons = rows(read("docs/decisions.md"))
    .filter(([, reason = ""]) => reason !== "")
    .flatMap(([names = ""]) =>
      code(names).map((name) => [name, /^(development|override|peer|optional peer): /.exec(names)?.[1]] as const)
    )

  it("has a reason for each dependency, and for none that is gone", () => {
    const named = (kind?: string) => reasons.flatMap(([name, of]) => (of === kind ? [name] : [])).sort()
    expect(named()).toEqual(Object.keys(dependencies).sort())
    const peers = Object.keys(peerDependencies).sort()
    expect(named("peer")).toEqual(peers.filter((name) => !Object.hasOwn(peerDependenciesMeta, name)))
    expect(named("optional peer")).toEqual(Object.keys(peerDependenciesMeta).sort())
    expect(peers.filter((name) => !Object.hasOwn(devDependencies, name))).toEqual([])
    expect(named("development")).toEqual(
      Object.keys(devDependencies)
        .filter((name) => !peers.includes(name))
        .sort()
    )
    expect(named("override")).toEqual(Object.keys(overrides).sort())
  })
})

describe("docs/security.md", () => {
  const page = read("docs/security.md")
  const section = (title: string): string => page.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? ""

  it("names a test for each defence", () => {
    const [, ...defences] = rows(section("What is defended, and by what"))
    expect(defences.length).toBeGreaterThan(15)
    const unproven = defences.filter(
      ([, , proof = ""]) => code(proof).filter((path) => path.startsWith("test/")).length === 0
    )
    expect(unproven).toEqual([])
  })

  it("has a verdict on each requirement of the chapters on authentication and sessions", () => {
    // How many requirements each section has, as far as it applies at all.
    const sections = {
      "6.1": 3,
      "6.2": 12,
      "6.3": 8,
      "6.4": 6,
      "6.5": 8,
      "6.8": 4,
      "7.1": 3,
      "7.2": 4,
      "7.3": 2,
      "7.4": 5,
      "7.5": 3,
      "7.6": 2
    }
    const wanted = Object.entries(sections).flatMap(([name, count]) =>
      Array.from({ length: count }, (_, index) => `${name}.${index + 1}`)
    )
    const verdicts = rows(section("OWASP ASVS 5")).filter(([number = ""]) => /^\d\.\d\.\d+$/.test(number))
    expect(verdicts.map(([number]) => number)).toEqual(wanted)
    const words = new Set(["yes", "partly", "no", "program", "does not apply"])
    expect(
      verdicts.filter(([, word = "", how = ""]) => !words.has(word) || (how === "" && word !== "does not apply"))
    ).toEqual([])
    // A requirement that holds has a test that would fail without it.
    const untested = verdicts
      .filter(([, word]) => word === "yes")
      .filter(([, , how = ""]) => {
        const named = code(how).filter((text) => text.startsWith("test/"))
        return named.length === 0 || named.some((path) => !existsSync(join(root, path)))
      })
    expect(untested.map(([number]) => number)).toEqual([])
  })

  it("says of everything that someone can hold, alone and in pairs, what can be done with it, each with its tests", () => {
    const cells = rows(section("Who holds what")).filter(([name = ""]) => !/^holds?$/.test(name))
    const held = cells.slice(0, 8).map(([name = ""]) => name)
    expect(held).toEqual([
      "address",
      "mailbox",
      "password",
      "session cookie",
      "remember cookie",
      "API token",
      "unlocked device",
      "copy of the database"
    ])
    const pairs = held.flatMap((one, at) => held.slice(at + 1).map((other) => `${one} + ${other}`))
    const told = cells.slice(8).flatMap(([names = ""]) => names.split("; "))
    expect(told.sort()).toEqual(pairs.sort())
    // The title of a test stands behind its file; without one it is what is held.
    const tests = cells.flatMap((row) => {
      const [names = ""] = row
      const proofs = Array.from((row.at(-1) ?? "").matchAll(/`(test\/[^`]+)`(?: "([^"]+)")?/g))
      if (proofs.length === 0) return [[names, ""] as const]
      return proofs.flatMap(([, path = "", title]) =>
        (title === undefined ? names.split("; ") : [title]).map((one) => [path, one] as const)
      )
    })
    expect(tests.filter(([path, title]) => !hasTest(path, title))).toEqual([])
  })
})

// As a text, or as the name of a row in a table.
const hasTest = (path: string, title: string): boolean => {
  if (title === "" || !existsSync(join(root, path))) return false
  const text = read(path)
  return text.includes(`"${title}"`) || text.includes(`\n  ${title}: [`)
}
