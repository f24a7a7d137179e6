import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import * as CursorToken from "../../../src/pagination/internal/columns/CursorToken.ts"

const value = fc.oneof(fc.string(), fc.integer(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }), fc.boolean())

describe("CursorToken", () => {
  it.prop(
    "keeps a null where it is allowed, and refuses it elsewhere",
    [fc.array(fc.tuple(value, fc.boolean()), { minLength: 1, maxLength: 4 })],
    ([pairs]) => {
      const nullable = pairs.map(([, isNull]) => isNull)
      const values = pairs.map(([value, isNull]) => (isNull ? null : value))
      const token = Either.getOrThrow(CursorToken.encode(values, nullable))
      expect(CursorToken.decode(token, values.length, nullable)).toEqual(Either.right(values))
      const first = nullable.indexOf(true)
      if (first < 0) return
      const refused = Either.left({ problem: "value", detail: `value ${first + 1}` })
      expect(CursorToken.encode(values)).toEqual(refused)
      expect(CursorToken.decode(token, values.length)).toEqual(refused)
    }
  )

  it("has one spelling of a null", () => {
    const problem = (text: string) =>
      Either.flip(CursorToken.decode(Buffer.from(text).toString("base64url"), 2, [true, true]))
    expect(problem("[null, 7]")).toMatchObject({ right: { problem: "spelling" } })
    expect(problem("[ null,9223372036854775807]")).toMatchObject({ right: { problem: "spelling" } })
    expect(problem("[NULL,7]")).toMatchObject({ right: { problem: "content" } })
  })
})
