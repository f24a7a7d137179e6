import { expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as AccessLine from "../../../src/observability/internal/AccessLine.ts"

const handled = {
  id: "r1",
  method: "GET",
  at: 0,
  route: "/articles/:id",
  status: 200,
  aborted: false,
  duration: 0.00314
}

it("is short on a terminal", () => {
  expect(AccessLine.pretty(handled)).toBe("GET /articles/:id 200 3.1 ms")
  expect(AccessLine.pretty({ ...handled, route: "" })).toBe("GET (no route) 200 3.1 ms")
  expect(AccessLine.pretty({ ...handled, status: undefined })).toBe("GET /articles/:id aborted 3.1 ms")
  expect(AccessLine.pretty({ ...handled, failed: true })).toBe("GET /articles/:id failed 3.1 ms")
})

it("has the ids of the trace and of the account", () => {
  const line = AccessLine.json({ ...handled, trace: "0af7651916cd43dd8448eb211c80319c", account: 'a"1' }, "2026")
  expect(JSON.parse(line)).toMatchObject({ trace_id: "0af7651916cd43dd8448eb211c80319c", account: 'a"1' })
})

it.prop(
  "is one JSON object with the duration to a tenth of a millisecond",
  [FastCheck.string(), FastCheck.double({ min: 0, max: 1e5, noNaN: true }), FastCheck.boolean()],
  ([route, duration, failed]) => {
    const line = AccessLine.json({ ...handled, route, duration, failed }, "2026-01-01T00:00:00.000Z")
    expect(line).not.toContain("\n")
    expect(JSON.parse(line)).toEqual({
      timestamp: "2026-01-01T00:00:00.000Z",
      level: failed ? "ERROR" : "INFO",
      channel: "requests",
      id: "r1",
      method: "GET",
      route,
      status: 200,
      duration_ms: Math.round(duration * 10_000) / 10,
      ...(failed && { failed: true })
    })
  }
)
