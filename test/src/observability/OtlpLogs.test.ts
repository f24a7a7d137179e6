import { expect, it } from "@effect/vitest"
import { FastCheck, LogLevel } from "effect"
import * as OtlpLogs from "../../../src/observability/internal/export/OtlpLogs.ts"
import * as OtlpText from "../../support/OtlpText.ts"

const resource = { service: "shop", attributes: {} }

it.prop(
  "a log record is valid, whatever it says",
  [
    FastCheck.string(),
    FastCheck.constantFrom(...LogLevel.allLevels),
    FastCheck.dictionary(FastCheck.string({ minLength: 1 }), FastCheck.anything())
  ],
  ([body, { _tag: level }, attributes]) => {
    const record = { at: 1_700_000_000_000, level, body, attributes, traceId: undefined, spanId: undefined }
    expect(OtlpText.logs(OtlpLogs.encode([record], resource))).toHaveLength(1)
  }
)

it("has its severity, its time and its trace", () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c"
  const record = {
    at: 1_700_000_000_001,
    level: "Warning" as const,
    body: "late",
    attributes: { "user.id": "a1" },
    traceId,
    spanId: "b7ad6b7169203331"
  }
  expect(OtlpText.logs(OtlpLogs.encode([record], resource))).toEqual([
    {
      resource: { "service.name": "shop" },
      time: 1_700_000_000_001_000_000n,
      severity: "WARN",
      body: "late",
      attributes: { "user.id": "a1" },
      traceId,
      spanId: "b7ad6b7169203331"
    }
  ])
})
