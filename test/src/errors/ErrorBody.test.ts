import { describe, expect, it } from "@effect/vitest"
import * as RecordLine from "../../../src/errors/internal/RecordLine.ts"
import * as ErrorBody from "../../../src/errors/internal/ErrorBody.ts"
import { Sources } from "../../../src/errors/Sources.ts"
import type { Place } from "../../../src/errors/Sources.ts"
import * as CauseThrowables from "../../../src/errors/internal/CauseThrowables.ts"
import * as Throwables from "../../support/Throwables.ts"

// A source map that says: one line further down, in a TypeScript file.
const sources = Sources.of({
  root: "/app",
  locate: ({ column, file, line }) => ({ file: file.replace(/\.js$/, ".ts"), line: line + 1, column }),
  read: () => undefined
})

const error = (message = "broken") =>
  Object.assign(new RangeError(message, { cause: new Error("root canary-123456") }), {
    stack: `RangeError: ${message}\n    at JSON.parse (<anonymous>)\n    at place (/app/a.js:9:3)`
  })

describe("ErrorBody", () => {
  it("holds error, message, file, line and a trace of texts", () => {
    expect(ErrorBody.details(CauseThrowables.from(error()), sources)).toEqual({
      error: "RangeError",
      message: "broken",
      file: "/app/a.ts",
      line: 10,
      trace: [
        { index: "0", file: "", line: "0", call: "JSON.parse" },
        { index: "1", file: "/app/a.ts", line: "10", call: "place" }
      ],
      previous: [{ error: "Error", message: "root canary-123456" }]
    })
  })

  it("holds only the status text elsewhere", () => {
    expect(ErrorBody.status("Internal Server Error")).toEqual({ error: "Internal Server Error" })
  })

  it("is a problem document for a client that asks for one", () => {
    expect(ErrorBody.problem(500, "Internal Server Error", { id: "r1" })).toEqual({
      type: "about:blank",
      title: "Internal Server Error",
      status: 500,
      instance: "r1"
    })
    expect(ErrorBody.problem(403, "Invalid CSRF token", { id: "r1" })).toMatchObject({
      title: "Forbidden",
      detail: "Invalid CSRF token"
    })
    const details = ErrorBody.details(CauseThrowables.from(error()), sources)
    expect(ErrorBody.problem(500, "x", { id: "a|b", details })).toMatchObject({
      detail: "broken",
      error: "RangeError",
      line: 10,
      instance: "a%7Cb"
    })
  })

  it("masks secrets", () => {
    const details = ErrorBody.details(CauseThrowables.from(error("sent canary-123456")), sources, ["canary-123456"])
    expect(JSON.stringify(details)).not.toContain("canary")
  })

  it.each(Throwables.all())("can be written as JSON for %s", (_, value) => {
    const text = JSON.stringify(ErrorBody.details(CauseThrowables.from(value), sources))
    expect(Object.keys(JSON.parse(text)).slice(0, 5)).toEqual(["error", "message", "file", "line", "trace"])
    expect(text.length).toBeLessThan(200_000)
    expect(text).not.toContain("canary")
  })
})

describe("RecordLine", () => {
  const facts = { id: "r1", method: "GET", uri: "/orders/:id?token=canary", peer: "::1" }
  const secrets = ["canary-123456"]

  it("names the project's own file where a bundle holds dependencies too", () => {
    const bundled = {
      ...sources,
      locate: ({ column, line }: Place): Place =>
        line === 1
          ? { file: "/app/node_modules/dep/index.js", line: 40, column }
          : { file: "/app/src/Orders.ts", line: 7, column }
    }
    const thrown = new Error("x")
    thrown.stack = "Error: x\n    at dep (/app/dist/main.js:1:1)\n    at place (/app/dist/main.js:2:1)"
    const { file, line } = RecordLine.maker(bundled).make(CauseThrowables.from(thrown), {}, 0)
    expect([file, line]).toEqual(["/app/src/Orders.ts", 7])
    const details = ErrorBody.details(CauseThrowables.from(thrown), bundled)
    expect([details.file, details.line]).toEqual([file, line])
  })

  it("holds the facts of the contract, with the URI without its query", () => {
    const here = expect.stringContaining("ErrorBody.test")
    expect(RecordLine.maker(sources).make(CauseThrowables.from(error()), facts, 0, secrets)).toEqual({
      timestamp: "1970-01-01T00:00:00.000Z",
      level: "error",
      channel: "exceptions",
      message: "broken",
      class: "RangeError",
      file: "/app/a.ts",
      line: 10,
      method: "GET",
      uri: "/orders/:id",
      peer: "::1",
      id: "r1",
      fingerprint: RecordLine.fingerprint("RangeError", "a.ts", "place"),
      frames: [{ function: "place", file: "/app/a.ts", line: 10 }],
      previous: [{ class: "Error", message: "root ********", file: here, line: expect.any(Number) }]
    })
  })

  it.each(Throwables.texts)("stays one line with %j in it", (text) => {
    const hostile = Object.assign(new Error(text), { name: text })
    const encoded = RecordLine.encode(
      RecordLine.maker(sources).make(CauseThrowables.from(hostile), { method: text, uri: text, peer: text }, 0)
    )
    expect(encoded.slice(0, -1)).not.toMatch(/[\n\r\u2028\u2029]/)
    expect(encoded.endsWith("\n")).toBe(true)
    expect(JSON.parse(encoded)).toMatchObject({ level: "error", channel: "exceptions" })
  })

  it.each(Throwables.all())("holds %s", (_, value) => {
    const encoded = RecordLine.encode(RecordLine.maker(sources).make(CauseThrowables.from(value), facts, 0))
    expect(JSON.parse(encoded)).toHaveProperty("class")
    expect(encoded.length).toBeLessThan(50_000)
    expect(encoded).not.toContain("canary")
  })
})
