import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { DatabaseUnavailable } from "../../../src/database/internal/DatabaseUnavailable.ts"
import * as ErrorResponse from "../../../src/http/internal/ErrorResponse.ts"
import * as Throwables from "../../support/Throwables.ts"

class Busy extends Schema.TaggedError<Busy>()("Busy", {}) {
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(503, { retryAfter: 1.2, message: "Too busy", headers: { "x-a": "b" } })
  }
}

describe("ErrorResponse", () => {
  it("is what a failure declares", () => {
    const response = ErrorResponse.from(new Busy())
    expect(response).toEqual({ status: 503, retryAfter: 1.2, message: "Too busy", headers: { "x-a": "b" } })
    expect(ErrorResponse.headers(response ?? expect.fail("no answer"))).toEqual({ "x-a": "b", "retry-after": "2" })
  })

  it.each([
    ["a refusal", new Busy(), 403, false],
    ["someone who says that they are busy", new Busy(), 503, false],
    ["any other trouble that is declared", new Busy(), 502, true],
    ["a database out of reach", new DatabaseUnavailable({ database: "x", reason: "y" }), 503, true],
    ["a failure that was told to answer 400", new Error("no answer of its own"), 400, false]
  ])("tells whether %s is an exception", (_, failure, status, expected) => {
    expect(ErrorResponse.isException(failure, ErrorResponse.of(status))).toBe(expected)
  })

  it.each(Throwables.all())("is nothing for %s", (_, value) => {
    expect(ErrorResponse.from(value)).toBeUndefined()
  })
})
