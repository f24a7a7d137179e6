import { expect, it } from "@effect/vitest"
import * as Unit from "../../../src/observability/internal/Unit.ts"

it.each([
  ["http_requests_total", "counter", "{request}"],
  ["http_bytes_read_total", "counter", "By"],
  ["http_request_duration_seconds", "histogram", "s"],
  ["process_cpu_seconds_total", "counter", "s"],
  ["room_celsius", "gauge", "Cel"],
  ["cups_total", "counter", "1"],
  ["cups", "gauge", undefined],
  ["cups_total", "gauge", undefined],
  ["secondss", "gauge", undefined],
  ["", "gauge", undefined]
] as const)("%s, a %s, has the unit %s", (name, type, unit) => {
  expect(Unit.of(name, type)).toBe(unit)
})
