import { describe, expect, it } from "@effect/vitest"
import * as RequestState from "../../../src/http/internal/RequestState.ts"

describe("RequestState.parseId", () => {
  it.each(["a", "01J9Z.x-y_z~", "a".repeat(128)])("accepts %s", (id) => {
    expect(RequestState.parseId(id)).toBe(id)
  })

  it.each([
    ["no header", undefined],
    ["an empty one", ""],
    ["one that is too long", "a".repeat(129)],
    ["a line break, which forges a log line", "a\nb"],
    ["a line break at the end", "a\n"],
    ["a quote, which ends a JSON text", 'a"b'],
    ["a space", "a b"],
    ["two headers", ["a", "b"]]
  ])("refuses %s", (_, header) => {
    expect(RequestState.parseId(header)).toBeUndefined()
  })
})
