import { planOnce, problem } from "../../../layers/database/internal/SqliteConnection.ts"
import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"

describe("SqlitePlan", () => {
  it("puts an operator before each value, and leaves texts and names as they are", () => {
    const text = `SELECT 'why? It''s ?', "odd?" FROM "a""?" WHERE b = ? AND c IN (?, ?) LIMIT ?`
    expect(planOnce(text)).toBe(`SELECT 'why? It''s ?', "odd?" FROM "a""?" WHERE b = +? AND c IN (+?, +?) LIMIT +?`)
  })
})

const symbol = "_ZN4node28RemoveEnvironmentCleanupHookEPN2v87IsolateEPFvPvES3_"
const compiled = () => Buffer.from(`\u0000${symbol}\u0000`)
const downloaded = () => Buffer.from("\u0000_ZN4node25AddEnvironmentCleanupHookEPN2v87IsolateEPFvPvES3_\u0000")

describe("The driver of SQLite", () => {
  it.each(["24.19.0", "24.21.0"])("is warned of on Node.js %s if it was compiled there", (node) => {
    expect(Option.getOrThrow(problem(node, compiled))).toBe(
      `Node.js ${node} aborts as soon as it collects garbage of better-sqlite3 12 as it was compiled here. ` +
        `Run npm pkg set 'overrides.better-sqlite3=^13.0.3' && npm install, or use Node.js 22 or 26.`
    )
    expect(problem(node, downloaded)).toEqual(Option.none())
  })

  it.each(["20.20.2", "22.23.2", "24.18.0", "25.0.0", "26.10.0"])("is not warned of on Node.js %s", (node) => {
    expect(problem(node, compiled)).toEqual(Option.none())
  })

  it("is not warned of if its file cannot be read, as that of version 13", () => {
    const missing = () => {
      throw new Error("ENOENT")
    }
    expect(problem("24.21.0", missing)).toEqual(Option.none())
  })
})
