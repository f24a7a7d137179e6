import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as BridgedName from "../../../src/observability/internal/BridgedName.ts"
import { isName } from "../../../src/observability/internal/export/Exposition.ts"
import * as LabelRules from "../../../src/observability/internal/LabelRules.ts"

const types = FastCheck.constantFrom("counter" as const, "gauge" as const, "histogram" as const)

describe("a name of another library", () => {
  it.each([
    ["orders.placed", "counter", "orders_placed_total"],
    ["ordersPlaced", "counter", "orders_placed_total"],
    ["visits_total", "counter", "visits_total"],
    ["people_total", "gauge", "people"],
    ["HTTP", "gauge", "HTTP"],
    ["level:heat", "gauge", "level_heat"],
    ["9lives", "gauge", "_9lives"],
    ["", "gauge", "_"],
    ["_total", "gauge", "_"],
    ["a_total_total", "gauge", "a"]
  ] as const)("%j of a %s is %j", (name, type, expected) => {
    expect(BridgedName.metric(name, type)).toBe(expected)
  })

  it.prop(
    "can be printed, stays what it is, and offends no linter by its form",
    [FastCheck.string({ unit: "binary" }), types],
    ([name, type]) => {
      const printed = BridgedName.metric(name, type)
      expect(isName(printed)).toBe(true)
      expect(printed).not.toMatch(/:|[a-z][A-Z]/)
      expect(printed.endsWith("_total")).toBe(type === "counter")
      expect(BridgedName.metric(printed, type)).toBe(printed)
      const label = BridgedName.label(name)
      expect(LabelRules.isName(label)).toBe(true)
      expect(label).not.toMatch(/[a-z][A-Z]/)
    }
  )
})
