import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as WebSocket from "../../../src/http/internal/WebSocket.ts"

const headers = {
  upgrade: "websocket",
  connection: "Upgrade",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ=="
}

describe("WebSocket.isHandshake", () => {
  it("is a GET with the key and the version of RFC 6455", () => {
    expect(WebSocket.isHandshake("GET", headers)).toBe(true)
    expect(WebSocket.isHandshake("GET", { ...headers, upgrade: "WebSocket" })).toBe(true)
  })

  it.each([
    ["another method", "POST", {}],
    ["another protocol", "GET", { upgrade: "h2c" }],
    ["two protocols", "GET", { upgrade: "websocket, h2c" }],
    ["no protocol", "GET", { upgrade: undefined }],
    ["another version", "GET", { "sec-websocket-version": "8" }],
    ["no version", "GET", { "sec-websocket-version": undefined }],
    ["a short key", "GET", { "sec-websocket-key": "abc" }],
    ["two keys", "GET", { "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==, dGhlIHNhbXBsZSBub25jZQ==" }],
    ["no key", "GET", { "sec-websocket-key": undefined }]
  ])("is not one with %s", (_, method, changed) => {
    expect(WebSocket.isHandshake(method, { ...headers, ...changed })).toBe(false)
  })

  it("takes any key of sixteen bytes, and never throws", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.string(), (bytes, text) => {
        const key = Buffer.from(bytes).toString("base64")
        expect(WebSocket.isHandshake("GET", { ...headers, "sec-websocket-key": key })).toBe(true)
        expect(WebSocket.isHandshake("GET", { ...headers, "sec-websocket-key": `${key}${text}` })).toBe(text === "")
      })
    )
  })
})

describe("WebSocket.limitsOf", () => {
  it("has a default for every limit", () => {
    expect(WebSocket.limitsOf({})).toEqual({
      origins: new Set(),
      maxMessage: 1024 ** 2,
      sendBuffer: 1024 ** 2,
      heartbeat: 15_000,
      handshakeTimeout: 10_000,
      streams: { perAccount: 20, perClient: 50 },
      concurrency: 16,
      compression: false
    })
  })

  it("takes sizes and durations in words", () => {
    expect(WebSocket.limitsOf({ maxMessage: "2 KiB", heartbeat: "1 second" })).toMatchObject({
      maxMessage: 2048,
      heartbeat: 1000
    })
  })
})
