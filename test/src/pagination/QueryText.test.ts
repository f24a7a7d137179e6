import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as QueryText from "../../../src/pagination/internal/query/QueryText.ts"

describe("The text of a query parameter", () => {
  it.prop("is read as it was meant", [fc.string({ unit: "grapheme" })], ([text]) => {
    expect(QueryText.decode(encodeURIComponent(text))).toBe(text)
    expect(QueryText.decode(String(new URLSearchParams({ a: text })).slice(2))).toBe(text)
  })

  it("is taken literally where its percent-encoding is invalid", () => {
    expect(QueryText.decode("100%+a")).toBe("100% a")
  })
})
