import { describe, expect, it } from "@effect/vitest"
import * as Refusal from "../../../layers/server/internal/Refusal.ts"

describe("Refusal.statusOf", () => {
  it.each([
    ["HPE_HEADER_OVERFLOW", 431],
    ["HPE_CHUNK_EXTENSIONS_OVERFLOW", 413],
    ["ERR_HTTP_REQUEST_TIMEOUT", 408],
    ["HPE_INVALID_METHOD", 400],
    ["toString", 400]
  ])("%s is %s", (code, status) => {
    const error: NodeJS.ErrnoException = Object.assign(new Error("Parse Error"), { code })
    expect(Refusal.statusOf(error)).toBe(status)
  })

  it("is 400 for an error without a code", () => {
    expect(Refusal.statusOf(new Error("Parse Error"))).toBe(400)
  })
})

describe("Refusal.response", () => {
  it("is a whole response that closes the connection", () => {
    const [head = "", body = ""] = Refusal.response(431).split("\r\n\r\n")
    expect(head.split("\r\n")).toEqual([
      "HTTP/1.1 431 Request Header Fields Too Large",
      "Content-Type: text/plain; charset=utf-8",
      `Content-Length: ${body.length}`,
      "X-Content-Type-Options: nosniff",
      "Connection: close"
    ])
    expect(body).toBe("Request Header Fields Too Large")
  })
})
