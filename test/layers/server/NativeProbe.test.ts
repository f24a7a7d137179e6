import { describe, expect, it } from "@effect/vitest"
import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { makeProbe } from "../../../layers/server/internal/NativeProbe.ts"

const send = (method: string, url: string) => {
  const req = Object.assign(new IncomingMessage(new Socket()), { method, url })
  const res = new ServerResponse(req)
  return { isProbe: makeProbe("/livez")?.(req, res), status: res.headersSent ? res.statusCode : undefined }
}

describe("the native probe", () => {
  it.each([
    ["GET", "/livez"],
    ["HEAD", "/livez"],
    ["GET", "/livez?from=lb"]
  ])("responds to %s %s", (method, url) => {
    expect(send(method, url)).toEqual({ isProbe: true, status: 200 })
  })

  it.each([
    ["POST", "/livez"],
    ["GET", "/livez/"],
    ["GET", "/livezz"],
    ["GET", "/"]
  ])("leaves %s %s to the routes", (method, url) => {
    expect(send(method, url)).toEqual({ isProbe: false, status: undefined })
  })

  it("does not exist without a path", () => {
    expect([makeProbe(undefined), makeProbe("")]).toEqual([undefined, undefined])
  })
})
