import { describe, expect, it } from "@effect/vitest"
import * as Csrf from "../../../src/session/Csrf.ts"
import * as ErrorResponse from "../../../src/http/internal/ErrorResponse.ts"

describe("CsrfMismatch", () => {
  it("responds with 403 and the reason", () => {
    const failure = new Csrf.CsrfMismatch({ reason: "token" })
    expect(failure[ErrorResponse.symbol]).toMatchObject({ status: 403, message: "Invalid CSRF token" })
  })
})
