import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { DatabaseUnavailable } from "../../../src/database/DatabaseUnavailable.ts"
import * as ErrorResponse from "../../../src/errors/ErrorResponse.ts"
import * as Editors from "../../../src/errors/Editors.ts"
import * as Fatal from "../../../src/errors/Fatal.ts"
import * as Throwable from "../../../src/errors/Throwable.ts"
import * as Throwables from "../../support/Throwables.ts"

class Busy extends Schema.TaggedError<Busy>()("Busy", {}) {
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(503, { retryAfter: 1.2, message: "Too busy", headers: { "x-a": "b" } })
  }
}

describe("Answer", () => {
  it("is what a failure says of itself", () => {
    const answer = ErrorResponse.from(new Busy())
    expect(answer).toEqual({ status: 503, retryAfter: 1.2, message: "Too busy", headers: { "x-a": "b" } })
    expect(ErrorResponse.headers(answer ?? expect.fail("no answer"))).toEqual({ "x-a": "b", "retry-after": "2" })
  })

  it("is 503 with Retry-After for a database out of reach", () => {
    const lost = new DatabaseUnavailable({ database: "x", reason: "y" })
    expect(ErrorResponse.from(lost)).toEqual({ status: 503, retryAfter: ErrorResponse.retryAfter })
  })

  it.each([
    ["a refusal", new Busy(), 403, false],
    ["someone who says that they are busy", new Busy(), 503, false],
    ["any other trouble that is declared", new Busy(), 502, true],
    ["a database out of reach", new DatabaseUnavailable({ database: "x", reason: "y" }), 503, true],
    ["a failure that was told to answer 400", new Error("no answer of its own"), 400, false]
  ])("tells whether %s is an exception", (_, failure, status, expected) => {
    expect(ErrorResponse.isException(failure, ErrorResponse.of(status))).toBe(expected)
  })

  it.each(Throwables.all())("is nothing for %s", (_, value) => {
    expect(ErrorResponse.from(value)).toBeUndefined()
  })
})

describe("Fatal", () => {
  it.each([
    [{ pid: 7, signal: "SIGABRT" }, "Process 7 died (signal SIGABRT): it aborted, most likely out of memory."],
    [
      { pid: 7, signal: "SIGKILL" },
      "Process 7 died (signal SIGKILL): it was killed, perhaps by the system for its memory."
    ],
    [{ pid: 7, code: 134 }, "Process 7 died (exit code 134): it aborted, most likely out of memory."],
    [{ pid: 7, code: 255 }, "Process 7 died (exit code 255): it threw what nobody caught."],
    [{ pid: 7, code: 3 }, "Process 7 died (exit code 3)."],
    [{ pid: 7 }, "Process 7 ended without a word: it was killed, ran out of memory, or the machine stopped."]
  ])("tells the death %o", (death, message) => {
    const throwable = Throwable.from(Fatal.from(death))
    expect([throwable.class, throwable.message, throwable.frames]).toEqual(["Fatal", message, []])
  })
})

describe("Editors", () => {
  const place = { file: "/a b/c&d#e?f+g:h.ts", line: 3, column: 0 }

  it("encodes the path for every scheme", () => {
    expect(Editors.link("VS Code", place)).toBe("vscode://file/a%20b/c%26d%23e%3Ff%2Bg%3Ah.ts:3:1")
    expect(Editors.link("WebStorm", place)).toBe("webstorm://open?file=/a%20b/c%26d%23e%3Ff%2Bg%3Ah.ts&line=3&column=1")
  })

  it("never becomes another scheme", () => {
    for (const text of Throwables.texts) {
      expect(Editors.link("Zed", { ...place, file: `/${text}` })).toMatch(/^zed:\/\/file\/[^\s"'<>]*:3:1$/)
    }
  })
})
