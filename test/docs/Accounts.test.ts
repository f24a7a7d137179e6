// The guide to own accounts keeps its promise: a display name and a role in at most 30 lines, with every route as it is.
import { describe, expect, it } from "@effect/vitest"
import { pages } from "./Pages.ts"

describe("the guide to own accounts", () => {
  it("adds a display name and a role in at most 30 lines", () => {
    const [first] = pages.find(({ path }) => path === "docs/accounts.md")?.blocks ?? []
    const lines = first?.text.trim().split("\n") ?? []
    expect(lines.length).toBeLessThanOrEqual(30)
    for (const part of ["Profile.make(", "SqlProfile.layer(", "CREATE TABLE", "Access.require("]) {
      expect(first?.text).toContain(part)
    }
  })
})
