import { describe, expect, it } from "@effect/vitest"
import { acceptsOpenMetrics } from "../../../src/observability/internal/export/MetricsNegotiation.ts"

describe("OpenMetrics", () => {
  it.each([
    ["application/openmetrics-text; version=1.0.0", true],
    ['application/openmetrics-text;version="1.0.0";charset=utf-8, */*;q=0.1', true],
    ["application/openmetrics-text", false],
    ["application/openmetrics-text; version=0.0.1", false],
    ["application/openmetrics-text; version=1.0.0; q=0", false],
    [
      "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
      false
    ],
    ["text/plain", false],
    [undefined, false]
  ])("is the format for Accept: %j is %j", (accept, expected) => {
    expect(acceptsOpenMetrics(accept)).toBe(expected)
  })
})
