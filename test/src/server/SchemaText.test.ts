import { expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as SchemaText from "../../../src/server/internal/SchemaText.ts"

it("A schema is shown as a type", () => {
  const schema = {
    type: "object",
    required: ["name", "tags"],
    properties: {
      name: { type: "string", minLength: 1, description: "What it\nis called" },
      tags: { type: "array", items: { $ref: "#/components/schemas/Tag" } },
      note: { anyOf: [{ type: "string" }, { type: "null" }, { type: "string" }] },
      "of-sort": { enum: ["a", 1] },
      pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
      one: { const: true },
      inner: { type: "object", additionalProperties: { type: "integer" } },
      any: {}
    }
  }
  expect(SchemaText.typeText(schema)).toBe(
    [
      "{",
      "  name: string // What it is called; minLength 1",
      "  tags: Array<Tag>",
      "  note?: string | null",
      '  "of-sort"?: "a" | 1',
      "  pair?: [string, number]",
      "  one?: true",
      "  inner?: {",
      "    [name: string]: integer",
      "  }",
      "  any?: unknown",
      "}"
    ].join("\n")
  )
})

it("A schema without an end is shown up to a depth, and any JSON is shown somehow", () => {
  const endless: Record<string, unknown> = { type: "object", properties: {} }
  endless["properties"] = { self: endless }
  expect(SchemaText.typeText(endless)).toContain("…")
  FastCheck.assert(
    FastCheck.property(FastCheck.dictionary(FastCheck.string(), FastCheck.jsonValue()), (schema) => {
      SchemaText.typeText(schema)
      SchemaText.remark(schema)
    })
  )
})
