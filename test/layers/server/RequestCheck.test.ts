import { describe, expect, it } from "@effect/vitest"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import * as RequestCheck from "../../../layers/server/internal/RequestCheck.ts"

interface Request {
  readonly method?: string
  readonly url?: string
  readonly version?: string
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>
}

/** A request as node's parser leaves it. */
const request = ({
  headers = [["Host", "localhost"]],
  method = "GET",
  url = "/",
  version = "1.1"
}: Request): IncomingMessage => {
  const req = new IncomingMessage(new Socket())
  return Object.assign(req, {
    method,
    url,
    httpVersion: version,
    rawHeaders: headers.flat(),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
  })
}

describe("the check of a request", () => {
  const check = RequestCheck.make((name) => name === "localhost")

  it.each<readonly [name: string, request: Request, status: number | undefined]>([
    ["a plain request", {}, undefined],
    ["a host with a port", { headers: [["Host", "localhost:8087"]] }, undefined],
    ["HTTP/1.0 without a host", { version: "1.0", headers: [] }, undefined],
    ["OPTIONS *", { method: "OPTIONS", url: "*" }, undefined],
    ["HTTP/1.2", { version: "1.2" }, 505],
    ["too many header lines", { headers: Array.from({ length: 1001 }, (_, at) => [`X-${at}`, ""] as const) }, 431],
    ["a whole URL", { url: "http://localhost/" }, 400],
    ["GET *", { url: "*" }, 400],
    ["a fragment", { url: "/#a" }, 400],
    ["a byte that is not ASCII", { url: "/\u00e9" }, 400],
    ["no host", { headers: [] }, 400],
    [
      "two hosts",
      {
        headers: [
          ["Host", "localhost"],
          ["hOST", "localhost"]
        ]
      },
      400
    ],
    ["an impossible host", { headers: [["Host", "a b"]] }, 400],
    ["another host", { headers: [["Host", "evil.example"]] }, 421],
    [
      "gzip as a transfer coding",
      {
        headers: [
          ["Host", "localhost"],
          ["Transfer-Encoding", "gzip"]
        ]
      },
      501
    ],
    ["a transfer coding in HTTP/1.0", { version: "1.0", headers: [["Transfer-Encoding", "chunked"]] }, 400]
  ])("%s", (_, given, status) => {
    expect(check(request(given))).toBe(status)
  })

  it("refuses methods of other protocols", () => {
    expect(check(request({ method: "DESCRIBE" }))).toBe(400)
    expect(check(request({ method: "SOURCE" }))).toBe(400)
    expect(check(request({ method: "PROPFIND" }))).toBeUndefined()
  })

  it("refuses another host after one that it knows", () => {
    expect(check(request({}))).toBeUndefined()
    expect(check(request({ headers: [["Host", "evil.example"]] }))).toBe(421)
  })
})
