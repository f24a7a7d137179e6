import { expect, it } from "@effect/vitest"
import { STATUS_CODES } from "node:http"
import * as Status from "../../../src/http/internal/text/Status.ts"

// Renamed by RFC 9110; node keeps the names of RFC 7231.
const renamed: Readonly<Record<string, string>> = {
  "Payload Too Large": "Content Too Large",
  "Unprocessable Entity": "Unprocessable Content"
}

it.each([200, 303, 400, 401, 403, 404, 405, 408, 413, 415, 421, 422, 429, 431, 500, 501, 503, 505])(
  "%s has the reason phrase of RFC 9110",
  (status) => {
    const text = STATUS_CODES[status] ?? ""
    expect(Status.text(status)).toBe(renamed[text] ?? text)
  }
)

it("has a general text for any other status", () => {
  expect([Status.text(418), Status.text(499), Status.text(599)]).toEqual(["Error", "Error", "Server Error"])
})
