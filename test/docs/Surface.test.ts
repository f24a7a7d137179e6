// The public names of the package are those of docs/api/surface.txt: every new name is a decision that a review can see.
import { describe, expect, it } from "@effect/vitest"
import * as Surface from "../../docs/tools/Surface.ts"
import { compiled } from "./Compiled.ts"
import { code, read, rows } from "./Pages.ts"

const { entries, unnamed } = await compiled()
const values = Surface.names(entries)
const names = [...values, ...Surface.typeNames(entries)]
const [head = "", ...lines] = read("docs/api/surface.txt").trimEnd().split("\n")
const listed = lines.filter((line) => line !== "" && !line.startsWith("#"))

const accept = "Run `npm run reference` to accept the new surface, and commit docs/api with it."

describe("the public surface", () => {
  it("has no name that docs/api/surface.txt does not list", () => {
    expect(
      names.filter((name) => !listed.includes(name)),
      accept
    ).toEqual([])
  })

  it("has every name that docs/api/surface.txt lists", () => {
    expect(
      listed.filter((name) => !names.includes(name)),
      accept
    ).toEqual([])
  })

  it("counts the values, which are all that is above the types", () => {
    expect(head).toMatch(new RegExp(`^# ${values.length} public names`))
    expect(listed.filter((line) => line.includes("›"))).toEqual(listed.slice(0, values.length))
  })

  it("is sorted and without repetition", () => {
    expect(listed.slice(0, values.length), accept).toEqual([...new Set(values)].sort())
    expect(listed.slice(values.length), accept).toEqual([...new Set(Surface.typeNames(entries))].sort())
  })
})

describe("a public signature", () => {
  it("has only types that a user can name", () => {
    expect(unnamed, "Export each from its public module, or `export type { Name } from` its internal one.").toEqual([])
  })
})

describe("docs/specification.md", () => {
  it("leads to names that are public", () => {
    const told = rows(read("docs/specification.md"))
      .flatMap(([, ours = ""]) => code(ours))
      .filter((name) => name.includes("."))
    expect(told.length).toBeGreaterThan(40)
    expect(told.filter((name) => !names.some((known) => known.endsWith(` ${name}`)))).toEqual([])
  })
})

describe("a name", () => {
  it("is written with its entry point and its module", () => {
    expect(names).toContain("effect-framework/auth › Tokens.Tokens")
    expect(names).toContain("effect-framework/config › Environment.layer")
  })

  it("of an interface or an alias is a type, that of a schema or a class is a value", () => {
    expect(names).toContain("effect-framework/auth · Users.Expected")
    expect(values).toContain("effect-framework/auth › Tokens.Purpose")
  })
})
