import { describe, expect, it } from "@effect/vitest"
import { pg, quote, sqlite } from "../../../src/pagination/internal/query/Dialect.ts"

describe("a dialect", () => {
  it("quotes identifiers", () => {
    expect(quote('a"b')).toBe('"a""b"')
  })

  it("reads a column without loss", () => {
    expect(sqlite.read("bigint", '"a"')).toBe(
      `CASE typeof("a") WHEN 'integer' THEN CAST("a" AS TEXT) WHEN 'null' THEN NULL ELSE 'x' END`
    )
    expect(sqlite.read("text", '"t"."a"')).toBe('"t"."a"')
    expect(pg.read("text", '"t"."a"')).toBe('"t"."a"::text')
    expect(pg.read("timestamp", '"t"."a"')).toContain("HH24:MI:SS.US")
  })

  it("numbers and casts the parameters of PostgreSQL", () => {
    expect([pg.place(0, "text"), pg.place(1, "integer"), pg.place(2, "float")]).toEqual([
      "$1",
      "$2::bigint",
      "$3::double precision"
    ])
    expect(sqlite.place(7, "integer")).toBe("?")
  })

  it.each([
    ["50%_", "50*?"],
    ["\\%\\_", "%_"],
    ["*?[", "[*][?][[]"],
    ["\\*", "[*]"]
  ])("turns the case-sensitive pattern %s into SQLite's %s", (pattern, glob) => {
    expect(sqlite.pattern("like", pattern)).toBe(glob)
    expect(sqlite.pattern("insensitive", pattern)).toBe(pattern)
    expect(pg.pattern("like", pattern)).toBe(pattern)
  })

  it("locks rows on PostgreSQL alone", () => {
    expect(pg.lock("Update")).toBe(" FOR UPDATE")
    expect(sqlite.lock("Update")).toBe("")
  })
})
