import { describe, expect, it } from "@effect/vitest"
import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { Connections, hasUnreadBody } from "../../../layers/server/internal/Connections.ts"

const bounds = { pipelined: 2, discard: 1024, linger: 1000 }

const request = (headers: Readonly<Record<string, string>>, complete = false) =>
  Object.assign(new IncomingMessage(new Socket()), { headers, complete })

describe("a body", () => {
  it.each([
    ["a length", request({ "content-length": "3" }), true],
    ["chunks", request({ "transfer-encoding": "chunked" }), true],
    ["the length 0", request({ "content-length": "0" }), false],
    ["no length", request({}), false],
    ["a length and a known end", request({ "content-length": "3" }, true), false]
  ])("with %s is unread: %s", (_, req, expected) => {
    expect(hasUnreadBody(req)).toBe(expected)
  })
})

describe("a connection", () => {
  it("is one for each socket", () => {
    const connections = new Connections(bounds)
    const [first, second] = [new Socket(), new Socket()]
    expect(connections.of(first)).toBe(connections.of(first))
    expect(connections.of(first)).not.toBe(connections.of(second))
  })

  it("begins a request when the response before it is closed, and at once without one", () => {
    const socket = new Socket()
    const connection = new Connections(bounds).of(socket)
    const began: Array<string> = []
    connection.wait(() => began.push("first"))
    expect(began).toEqual(["first"])
    connection.res = new ServerResponse(request({}))
    connection.wait(() => began.push("second"))
    expect([began, connection.waiting, socket.isPaused()]).toEqual([["first"], 1, true])
    connection.res.emit("close")
    expect([began, connection.waiting, socket.isPaused()]).toEqual([["first", "second"], 0, false])
  })

  it("is destroyed when more requests wait than it may hold", () => {
    const socket = new Socket()
    const connection = new Connections(bounds).of(socket)
    connection.res = new ServerResponse(request({}))
    const begin = () => expect.fail("began")
    for (let count = 0; count < bounds.pipelined; count++) connection.wait(begin)
    expect(socket.destroyed).toBe(false)
    connection.wait(begin)
    expect([socket.destroyed, connection.last, connection.refused]).toEqual([true, true, true])
    connection.res.emit("close")
  })
})
