import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { interpret, retryDelay } from "../../../src/observability/internal/export/OtlpResponse.ts"
import { nasty } from "./Snapshots.ts"

const response = (status: number, body = "", retryAfter?: string) =>
  interpret({ status, body, retryAfter }, 1_000_000_000)

describe("the response of a collector", () => {
  it.each([200, 201, 202, 204])("%i means accepted", (status) => {
    expect(response(status, "{}")).toEqual({ _tag: "Accepted", summary: { status, rejected: 0, message: "" } })
  })

  it.each([429, 502, 503, 504])("%i is retried", (status) => {
    expect(response(status)).toMatchObject({ _tag: "Retry", retryAfter: undefined })
  })

  it.each([301, 400, 401, 403, 404, 405, 413, 415, 500, 501])("%i is final", (status) => {
    expect(response(status)).toMatchObject({ _tag: "Refused" })
  })

  it("names the delay in seconds or as a date", () => {
    expect(response(503, "", "7")).toMatchObject({ retryAfter: 7 })
    expect(response(503, "", "Sun, 09 Sep 2001 01:46:50 GMT")).toMatchObject({ retryAfter: 10 })
    expect(response(503, "", "Sun, 09 Sep 2001 01:46:30 GMT")).toMatchObject({ retryAfter: 0 })
    expect(response(503, "", "soon")).toMatchObject({ retryAfter: undefined })
  })

  it.each([
    ['{"partialSuccess":{"rejectedDataPoints":"3","errorMessage":"too old"}}', 3, "too old"],
    ['{"partialSuccess":{"rejectedDataPoints":3}}', 3, ""],
    ['{"partialSuccess":{"errorMessage":"mind your labels"}}', 0, "mind your labels"],
    ['{"partialSuccess":{}}', 0, ""],
    ["not JSON", 0, ""],
    ["", 0, ""]
  ])("%s rejects %i", (body, rejected, message) => {
    expect(response(200, body)).toMatchObject({ summary: { rejected, message } })
  })

  it.prop(
    "is printed to a terminal as one short line",
    [FastCheck.integer({ min: 100, max: 599 }), nasty],
    ([status, body]) => {
      const result = response(status, body.repeat(100))
      const text = result._tag === "Accepted" ? result.summary.message : result.failure.reason
      expect(text).not.toMatch(/\p{Cc}/u)
      expect(text.length).toBeLessThanOrEqual(200)
    }
  )
})

describe("the delay before a retry", () => {
  it("doubles from a second to half a minute, spread over the upper half", () => {
    expect([0, 1, 2, 5, 20].map((attempt) => retryDelay(attempt, undefined, 1))).toEqual([1, 2, 4, 30, 30])
    expect(retryDelay(2, undefined, 0)).toBe(2)
  })

  it("is what the collector requests, up to five minutes", () => {
    expect(retryDelay(0, 7, 1)).toBe(7)
    expect(retryDelay(4, 0, 1)).toBe(0)
    expect(retryDelay(0, 86_400, 1)).toBe(300)
  })
})
