import { describe, expect, it } from "@effect/vitest"
import * as SourceExcerpt from "../../../src/errors/internal/debug/SourceExcerpt.ts"

const file = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`)
const at = (line: number, column = 1) => ({ file: "/a.ts", line, column })

describe("SourceExcerpt", () => {
  it.each([
    [15, 7, 23],
    [1, 1, 9],
    [5, 1, 13],
    [30, 22, 30],
    [26, 18, 30]
  ])("shows 8 lines on each side of line %i, as far as there are any", (line, first, last) => {
    const excerpt = SourceExcerpt.excerpt(file, at(line))
    expect(excerpt?.first).toBe(first)
    expect(excerpt?.lines).toEqual(file.slice(first - 1, last))
  })

  it.each([0, -1, 31, 1_000_000])("shows nothing for line %i, which is not there", (line) => {
    expect(SourceExcerpt.excerpt(file, at(line))).toBeUndefined()
  })

  it("shows the only line of a file, and none of an empty list", () => {
    expect(SourceExcerpt.excerpt(["one"], at(1))?.lines).toEqual(["one"])
    expect(SourceExcerpt.excerpt([], at(1))).toBeUndefined()
  })

  it.each([
    ["LF", "a\nb\nc", ["a", "b", "c"]],
    ["CRLF", "a\r\nb\r\nc", ["a", "b", "c"]],
    ["CR", "a\rb\rc", ["a", "b", "c"]],
    ["the separators that the engine counts", "a\u2028b\u2029c", ["a", "b", "c"]],
    ["a mark at the start", "\uFEFFa\nb", ["a", "b"]],
    ["nothing", "", [""]]
  ])("counts lines as the engine does: %s", (_, text, lines) => {
    expect(SourceExcerpt.split(text)).toEqual(lines)
  })

  it("takes a file with a zero byte for no text", () => {
    expect(SourceExcerpt.split("abc\0def")).toBeUndefined()
  })

  it("shows a very long line around its failing column, and cuts the others", () => {
    const long = `${"a".repeat(50_000)}HERE${"b".repeat(50_000)}`
    const excerpt = SourceExcerpt.excerpt([long, long], at(1, 50_001))
    expect(excerpt?.lines.every((line) => line.length <= 241)).toBe(true)
    expect(excerpt?.lines[0]?.slice(excerpt.column, excerpt.column + 4)).toBe("HERE")
    expect(excerpt?.lines[1]?.startsWith("aaa")).toBe(true)
  })

  it("keeps the column of a line that fits", () => {
    expect(SourceExcerpt.excerpt(["const a = b"], at(1, 11))?.column).toBe(10)
  })

  it("shows paths below the root without it", () => {
    expect(SourceExcerpt.relative("/app", "/app/src/a.ts")).toBe("src/a.ts")
    expect(SourceExcerpt.relative("/app", "/application/a.ts")).toBe("/application/a.ts")
    expect(SourceExcerpt.relative("", "/a.ts")).toBe("/a.ts")
  })
})
