import { describe, expect, it } from "@effect/vitest"
import { Either } from "effect"
import * as InstrumentRules from "../../../src/observability/internal/InstrumentRules.ts"

describe("the bounds of a histogram", () => {
  it("are sorted, and have a default", () => {
    expect(Either.getOrThrow(InstrumentRules.checkBuckets("a", [5, -1, 2]))).toEqual([-1, 2, 5])
    expect(Either.getOrThrow(InstrumentRules.checkBuckets("a"))).toEqual(InstrumentRules.defaultBuckets)
  })

  it.each([
    [[], "at least one bound"],
    [[1, Infinity], "must be finite"],
    [[1, 2, 1], "given twice"]
  ])("are refused: %j", (bounds, reason) => {
    expect(Either.flip(InstrumentRules.checkBuckets("a", bounds)).pipe(Either.getOrThrow).message).toContain(reason)
  })
})
