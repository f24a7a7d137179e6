import { describe, expect, it } from "@effect/vitest"
import { Cause, Exit } from "effect"
import * as CauseThrowables from "../../../src/errors/internal/CauseThrowables.ts"
import * as ServerSpan from "../../../src/observability/internal/ServerSpan.ts"
import { requestStateOf } from "../../support/RequestStates.ts"

const head = { agent: "curl/8", host: "shop.example:8080", scheme: "http", version: "1.1" }

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
    expect(ServerSpan.started(requestStateOf({}), head)).toEqual({
      "http.request.method": "GET",
      "url.scheme": "http",
      "server.address": "shop.example",
      "server.port": 8080,
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
    const reset = requestStateOf({ path: `/reset/a/${verifier}`, route: "/reset/:selector/:verifier" })
    expect(ServerSpan.started(reset, head)).toMatchObject({ "url.path": "/reset/:selector/:verifier" })
    const missed = requestStateOf({ path: `/resets/a/${verifier}`, route: "" })
    expect(JSON.stringify(ServerSpan.started(missed, head))).not.toContain(verifier)
  })

  it("have no path that was typed where no route matched", () => {
    const missed = requestStateOf({ path: "/resett/ann/3f9a", route: "" })
    expect(ServerSpan.started(missed, head)).toMatchObject({ "url.path": "unmatched" })
    expect(JSON.stringify(ServerSpan.started(missed, head))).not.toMatch(/resett|ann|3f9a/)
  })

  it.each([
    [
      { scheme: "https", host: "example.com" },
      { "url.scheme": "https", "server.address": "example.com" }
    ],
    [{ scheme: "https" }, { "url.scheme": "https", "server.address": "shop.example", "server.port": 8080 }],
    [{ host: "[2001:db8::1]:443" }, { "server.address": "2001:db8::1", "server.port": 443 }]
  ] as const)("have the address that the trusted proxy states: %j", (forwarded, attributes) => {
    const made = ServerSpan.started(requestStateOf({ forwarded }), head)
    expect(made).toMatchObject(attributes)
    expect("server.port" in made).toBe("server.port" in attributes)
  })

  it("are bounded: a method is one of a few, and the name of a browser is short", () => {
    const made = ServerSpan.started(requestStateOf({ method: "PURGE" }), { ...head, agent: "a".repeat(10_000) })
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

  it("is the failure of the reported exception, without the secrets of the request", () => {
    const root = new TypeError("root canary-123456")
    const cause = Cause.die(new RangeError("no", { cause: new Error("in between", { cause: root }) }))
    const end = { status: 500, failed: false }
    expect(ServerSpan.exit(end, { exception: { cause, secrets: () => [] } })).toEqual(Exit.failCause(cause))
    const safe = ServerSpan.exit(end, { exception: { cause, secrets: () => ["canary-123456"] } })
    const [first] = Exit.isFailure(safe) ? CauseThrowables.all(safe.cause) : []
    expect([first, ...(first?.chain ?? [])].map((shown) => [shown?.class, shown?.message])).toEqual([
      ["RangeError", "no"],
      ["Error", "in between"],
      ["TypeError", "root ********"]
    ])
    expect(first?.frames[0]?.file).toContain("ServerSpan.test.ts")
  })

  it("names the account by its id", () => {
    expect(ServerSpan.ended({ account: "a1" }, { status: 200, failed: false })).toMatchObject({ "user.id": "a1" })
  })
})
