import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as JsonValue from "../../../src/pagination/internal/columns/JsonValue.ts"

describe("The JSON of a column", () => {
  it.prop("is its value", [fc.jsonValue()], ([value]) => {
    const text = JSON.stringify(value)
    expect(JSON.stringify(JsonValue.parse(text))).toBe(text)
  })

  it("is frozen to its leaves, and is none for a text that is no JSON", () => {
    const value = JsonValue.parse('{"a":[{"b":1}]}')
    expect(Object.isFrozen(value)).toBe(true)
    expect(() => ((value as { a: Array<{ b: number }> }).a[0] ?? { b: 0 }).b++).toThrow(TypeError)
    expect(JsonValue.parse("{")).toBeUndefined()
  })
})
