import { describe, expect, it } from "@effect/vitest"
import { Exit } from "effect"
import * as ServerSpan from "../../../src/observability/internal/ServerSpan.ts"
import { exchangeOf } from "../../support/RequestStates.ts"

const head = { agent: "curl/8", scheme: "http", version: "1.1" }

describe("the name", () => {
  it.each([
    ["GET", "/articles/:id", "GET /articles/:id"],
    ["POST", "", "POST"],
    ["PURGE", "/articles", "HTTP /articles"],
    ["PURGE", "", "HTTP"]
  ])("of %s on the route %j is %s", (method, route, name) => {
    expect(ServerSpan.name({ method, route })).toBe(name)
  })
})

describe("the attributes at the start", () => {
  it("are those of OpenTelemetry's conventions", () => {
    expect(ServerSpan.started(exchangeOf({}), head)).toEqual({
      "http.request.method": "GET",
      "url.scheme": "http",
      "url.path": "/articles",
      "http.route": "/articles",
      "network.protocol.version": "1.1",
      "client.address": "192.0.2.1",
      "user_agent.original": "curl/8",
      "http.response.header.x-request-id": ["r1"]
    })
  })

  it("have the pattern of a route with parameters, and never a verifier", () => {
    const verifier = "f".repeat(64)
    const reset = exchangeOf({ path: `/reset/a/${verifier}`, route: "/reset/:selector/:verifier" })
    expect(ServerSpan.started(reset, head)).toMatchObject({ "url.path": "/reset/:selector/:verifier" })
    const missed = exchangeOf({ path: `/resets/a/${verifier}`, route: "" })
    expect(JSON.stringify(ServerSpan.started(missed, head))).not.toContain(verifier)
  })

  it("are bounded: a method is one of a few, and the name of a browser is short", () => {
    const made = ServerSpan.started(exchangeOf({ method: "PURGE" }), { ...head, agent: "a".repeat(10_000) })
    expect(made).toMatchObject({ "http.request.method": "_OTHER", "http.request.method_original": "PURGE" })
    expect(String(made["user_agent.original"]).length).toBe(256)
  })
})

describe("the end", () => {
  it.each([
    [{ status: 200, failed: false }, { "http.response.status_code": 200 }, "Success"],
    [{ status: 404, failed: false }, { "http.response.status_code": 404 }, "Success"],
    [{ status: 503, failed: false }, { "http.response.status_code": 503, "error.type": "503" }, "Failure"],
    [{ status: 200, failed: true }, { "http.response.status_code": 200, "error.type": "incomplete" }, "Failure"],
    [{ status: undefined, failed: false }, { "error.type": "aborted" }, "Failure"]
  ])("of %j", (end, attributes, tag) => {
    expect(ServerSpan.ended({}, end)).toEqual(attributes)
    expect(ServerSpan.exit(end)._tag).toBe(tag)
    expect(Exit.isInterrupted(ServerSpan.exit(end))).toBe(end.status === undefined)
  })

  it("names the account by its id", () => {
    expect(ServerSpan.ended({ account: "a1" }, { status: 200, failed: false })).toMatchObject({ "user.id": "a1" })
  })
})
