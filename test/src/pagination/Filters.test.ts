import { describe, expect, it } from "@effect/vitest"
import * as Column from "../../../src/pagination/Column.ts"
import { pg, sqlite } from "../../../src/pagination/internal/query/Dialect.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Filters from "../../../src/pagination/internal/query/Filters.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import * as Selection from "../../../src/pagination/Selection.ts"

const Cup = Entity.make("cups", {
  key: "id",
  columns: { id: Column.integer, name: Column.text, code: Column.uuid, weight: Column.float }
})
const all = Selection.from(Cup)

describe("filters", () => {
  it("are accepted with values that their columns hold", () => {
    const selection = all.filter("id", "in", [1, 2]).match("name", "like", "a%")
    expect(Filters.refusal(sqlite, selection)).toBeUndefined()
  })

  it.each([
    ["a fraction", all.filter("id", "equal", 1.5)],
    ["NaN", all.filter("weight", "equal", Number.NaN)],
    ["a malformed UUID", all.filter("code", "equal", "x")],
    ["half of a surrogate pair", all.filter("name", "equal", "\ud800")]
  ])("are refused with %s", (_name, selection) => {
    expect(Filters.refusal(sqlite, selection)?.message).toMatch(/was given a value that it cannot hold\.$/)
  })

  it("are refused with U+0000 on PostgreSQL alone", () => {
    const selection = all.filter("name", "equal", "a\0b")
    expect(Filters.refusal(sqlite, selection)).toBeUndefined()
    expect(Filters.refusal(pg, selection)?.message).toContain('"name"')
  })

  it("have bounds for patterns and for all values together", () => {
    const long = all.match("name", "like", "a".repeat(Filters.maxPatternLength + 1))
    expect(Filters.refusal(sqlite, long)?.message).toContain(`more than ${Filters.maxPatternLength} characters`)
    const many = all.filter(
      "id",
      "in",
      Array.from({ length: Filters.maxValues + 1 }, (_, index) => index)
    )
    expect(Filters.refusal(sqlite, many)?.message).toContain(`more than ${Filters.maxValues} values`)
  })

  it("are checked in every part of a condition", () => {
    const nested = all.not((cup) => cup.anyOf((one) => one.filter("code", "equal", "x")))
    expect(Filters.refusal(sqlite, nested)?.message).toBe('The filter on "code" was given a value that it cannot hold.')
    const related = all.exists(Relation.one(Cup, "id"), (cup) => cup.filter("name", "equal", "\0"))
    expect(Filters.refusal(pg, related)?.message).toContain('"name"')
  })

  it("have bounds for how deep and how many conditions are, also where reading them would overflow the stack", () => {
    const nest = (depth: number) => {
      let list = all.filter("id", "equal", 1)
      for (let level = 0; level < depth; level++) {
        const inner = list
        list = all.not(() => inner)
      }
      return list
    }
    expect(Filters.refusal(sqlite, nest(Filters.maxDepth))).toBeUndefined()
    expect(Filters.refusal(sqlite, nest(Filters.maxDepth + 1))?.message).toBe(
      `The filters are more than ${Filters.maxDepth} conditions deep.`
    )
    expect(Filters.refusal(sqlite, nest(5000))?.message).toContain("conditions deep")
    let many = all
    for (let index = 0; index <= Filters.maxConditions; index++) many = many.filter("id", "unequal", index)
    expect(Filters.refusal(sqlite, many)?.message).toBe(
      `The filters are more than ${Filters.maxConditions} conditions.`
    )
  })
})
