import { describe, expect, it } from "vitest"
import * as SqlitePlan from "../../../layers/database/internal/SqlitePlan.ts"

describe("SqlitePlan", () => {
  it("puts an operator before each value, and leaves texts and names as they are", () => {
    const text = `SELECT 'why? It''s ?', "odd?" FROM "a""?" WHERE b = ? AND c IN (?, ?) LIMIT ?`
    expect(SqlitePlan.once(text)).toBe(
      `SELECT 'why? It''s ?', "odd?" FROM "a""?" WHERE b = +? AND c IN (+?, +?) LIMIT +?`
    )
  })
})
