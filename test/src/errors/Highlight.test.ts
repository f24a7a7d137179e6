import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Highlight from "../../../src/errors/internal/debug/Highlight.ts"

const kinds = (line: string, before: ReadonlyArray<string> = []) =>
  (Highlight.lines([line], before)[0] ?? []).filter(([kind]) => kind !== "")

describe("Highlight", () => {
  it("tells keywords, types, calls, strings, numbers and comments apart", () => {
    expect(kinds('const user: User = load("x", 0x1f) // why')).toEqual([
      ["k", "const"],
      ["t", "User"],
      ["f", "load"],
      ["s", '"x"'],
      ["n", "0x1f"],
      ["c", "// why"]
    ])
  })

  it("tells a regular expression from a division", () => {
    expect(kinds("const a = /[/]\\/x/gi.test(b)")).toContainEqual(["r", "/[/]\\/x/gi"])
    expect(kinds("return /x/")).toContainEqual(["r", "/x/"])
    expect(kinds("const a = b / c / d")).toEqual([["k", "const"]])
    expect(kinds("const a = (b) / 2 / d")).toEqual([
      ["k", "const"],
      ["n", "2"]
    ])
  })

  it("follows templates into their substitutions and out of them", () => {
    expect(kinds("`a ${b({ c: `d` })} e`")).toEqual([
      ["s", "`"],
      ["s", "a "],
      ["k", "${"],
      ["f", "b"],
      ["s", "`"],
      ["s", "d`"],
      ["k", "}"],
      ["s", " e`"]
    ])
  })

  it("knows from the lines before that it begins in a comment or a template", () => {
    expect(kinds("const a = 1", ["/* begun"])).toEqual([["c", "const a = 1"]])
    expect(kinds("*/ const a", ["/* begun"])).toEqual([
      ["c", "*/"],
      ["k", "const"]
    ])
    expect(kinds("const a = 1", ["const b = `begun"])).toEqual([["s", "const a = 1"]])
    expect(kinds("const a = 1", ["const b = `${{"])).toEqual([
      ["k", "const"],
      ["n", "1"]
    ])
  })

  it.prop("loses and invents no character", [FastCheck.array(FastCheck.string())], ([lines]) => {
    const given = lines.map((line) => line.replace(/[\r\n]/g, ""))
    const joined = Highlight.lines(given).map((tokens) => tokens.map(([, text]) => text).join(""))
    expect(joined).toEqual(given)
  })

  const syntax = FastCheck.array(
    FastCheck.constantFrom("`", "${", "}", "{", "/*", "*/", "//", "/", '"', "'", "\\", "a", " ", "[")
  )
  it.prop("loses nothing of any mix of marks", [syntax], ([marks]) => {
    const line = marks.join("")
    expect(Highlight.lines([line, line]).map((tokens) => tokens.map(([, text]) => text).join(""))).toEqual([line, line])
  })
})
