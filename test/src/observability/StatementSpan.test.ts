import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as StatementSpan from "../../../src/observability/internal/export/StatementSpan.ts"

const named = (text: string, name = "sql.execute") =>
  StatementSpan.of({
    name,
    attributes: new Map([
      ["db.query.text", text],
      ["db.operation.name", "execute"]
    ])
  })

describe("the span of a statement", () => {
  it.each([
    ["SELECT id FROM users WHERE id = ?", "SELECT users"],
    ['select "a" from "app"."users" u', "SELECT app.users"],
    ["INSERT INTO notes (text) VALUES (?) ON CONFLICT DO UPDATE SET text = 1", "INSERT notes"],
    ["UPDATE users SET name = ?", "UPDATE users"],
    ["UPDATE OR IGNORE users SET name = ?", "UPDATE users"],
    ["DELETE FROM tokens WHERE expires < ?", "DELETE tokens"],
    [
      "WITH old AS (SELECT id FROM jobs WHERE x IN (1, 2)) DELETE FROM queue WHERE id IN (SELECT id FROM old)",
      "DELETE queue"
    ],
    ["-- from others\n/* update x */ SELECT * FROM (SELECT 1)", "SELECT"],
    ["(SELECT a FROM b LIMIT 1) UNION ALL SELECT 2", "SELECT b"],
    ["BEGIN IMMEDIATE", "BEGIN"],
    ["PRAGMA data_version", "PRAGMA"]
  ])("%s is %s", (text, name) => {
    expect(named(text).name).toBe(name)
  })

  it("has the statement without its literals, as the pages of errors have it", () => {
    const { attributes } = named("SELECT * FROM users WHERE email = 'ann@example.com' AND x = $1")
    expect(Object.fromEntries(attributes)).toEqual({
      "db.query.text": "SELECT * FROM users WHERE email = '…' AND x = $1",
      "db.operation.name": "SELECT",
      "db.collection.name": "users"
    })
  })

  it("is any other span as it is", () => {
    const span = { name: "Orders.place", attributes: new Map([["orders", 3]]) }
    expect(StatementSpan.of(span)).toBe(span)
    expect(named("", "mine").name).toBe("mine")
  })

  it.prop("is bounded and never throws, whatever the text", [FastCheck.string({ maxLength: 300 })], ([text]) => {
    expect(typeof named(`SELECT ${text}`).name).toBe("string")
  })
})
