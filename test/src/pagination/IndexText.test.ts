import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as IndexText from "../../../src/pagination/internal/columns/IndexText.ts"

describe("The text of an index", () => {
  it("names the columns whose nulls it tells from values", () => {
    const sql =
      'CREATE INDEX "x (" ON "t,(" (kind DESC, "due ""at""" IS NULL, (rank is  null) DESC, coalesce(a, b) IS NULL, id)'
    expect(IndexText.nullTests(sql)).toEqual([undefined, 'due "at"', "rank", undefined, undefined])
  })

  it.prop(
    "has as many parts as it has columns",
    [fc.array(fc.constantFrom('"a,)"', "b", "f('),(', 1)"), { minLength: 1 })],
    ([parts]) => {
      expect(IndexText.nullTests(`CREATE INDEX i ON t (${parts.join(", ")})`)).toHaveLength(parts.length)
    }
  )

  it.prop(
    "is read to its end whatever it is",
    [fc.string({ unit: fc.constantFrom("(", ")", ",", '"', "'", "a") })],
    ([text]) => {
      expect(Array.isArray(IndexText.nullTests(text))).toBe(true)
    }
  )
})
