import { expect, it } from "@effect/vitest"
import * as OtlpValue from "../../../src/observability/internal/export/OtlpValue.ts"

it.each([
  ["text", { stringValue: "text" }],
  [true, { boolValue: true }],
  [7, { intValue: "7" }],
  [-1.5, { doubleValue: -1.5 }],
  [Number.NaN, { doubleValue: "NaN" }],
  [Number.NEGATIVE_INFINITY, { doubleValue: "-Infinity" }],
  [9_007_199_254_740_993n, { intValue: "9007199254740993" }],
  [2n ** 63n, { stringValue: "9223372036854775808" }],
  [["a", 1], { arrayValue: { values: [{ stringValue: "a" }, { intValue: "1" }] } }]
])("%s is %j", (value, encoded) => {
  expect(OtlpValue.any(value)).toEqual(encoded)
})

it("leaves out what is not there, and masks by the name", () => {
  expect(
    OtlpValue.attributes([
      ["a", undefined],
      ["b", null],
      ["api_key", "k1"]
    ])
  ).toEqual({
    attributes: [{ key: "api_key", value: { stringValue: "********" } }]
  })
})

it("says how many it left out", () => {
  const many = Array.from({ length: OtlpValue.maxAttributes + 3 }, (_, at) => [`a${at}`, at] as const)
  expect(OtlpValue.attributes(many)).toMatchObject({ droppedAttributesCount: 3 })
})

it("shows any object in one short line", () => {
  const cyclic: Record<string, unknown> = { password: "hunter22" }
  cyclic["self"] = cyclic
  const shown = JSON.stringify(OtlpValue.any(cyclic))
  expect(shown).not.toContain("hunter22")
  expect(shown.length).toBeLessThan(200)
})
