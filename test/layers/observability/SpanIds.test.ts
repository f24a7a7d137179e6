import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { SpanIds } from "../../../layers/observability/internal/SpanIds.ts"
import * as Sampler from "../../../src/observability/internal/Sampler.ts"

const ids = new SpanIds()
const most = 2 ** 52 - 1

describe("The ids of traces and spans", () => {
  it.prop("end with the number that their trace was decided by", [FastCheck.maxSafeNat()], ([given]) => {
    const randomness = given % (most + 1)
    const traceId = ids.traceId(randomness)
    expect(traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(Sampler.randomness(traceId)).toBe(randomness)
  })

  it("have all 13 digits of the least and of the greatest number", () => {
    expect(ids.traceId(0).slice(-13)).toBe("0".repeat(13))
    expect(ids.traceId(most).slice(-13)).toBe("f".repeat(13))
  })

  it("are random in every digit, and never the same twice", () => {
    const count = 4000
    const taken = Array.from({ length: count }, () => {
      const randomness = ids.randomness()
      expect(Number.isInteger(randomness) && randomness >= 0 && randomness <= most).toBe(true)
      return { traceId: ids.traceId(randomness), spanId: ids.spanId(), head: ids.traceId(0).slice(0, 19) }
    })
    for (const [name, length] of [
      ["traceId", 32],
      ["spanId", 16],
      ["head", 19]
    ] as const) {
      const texts = taken.map((one) => one[name])
      expect(new Set(texts).size).toBe(count)
      for (let at = 0; at < length; at++) expect(new Set(texts.map((text) => text[at])).size).toBe(16)
    }
  })
})
