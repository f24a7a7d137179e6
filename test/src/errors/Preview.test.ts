import { describe, expect, it } from "@effect/vitest"
import { FastCheck, Redacted } from "effect"
import * as Preview from "../../../src/errors/internal/Preview.ts"
import * as Throwables from "../../support/Throwables.ts"

describe("Preview", () => {
  it.each([
    ["text", '"text"'],
    [1.5, "1.5"],
    [10n, "10n"],
    [undefined, "undefined"],
    [null, "null"],
    [Symbol("s"), "Symbol(s)"],
    [[1, "a", [2]], '[1, "a", [2]]'],
    [{ a: 1, b: { c: "d" } }, '{ a: 1, b: { c: "d" } }'],
    [{ password: "x", nested: { apiKey: "y" } }, "{ password: ********, nested: { apiKey: ******** } }"],
    [{ a: { b: { c: { d: 1 } } } }, "{ a: { b: { c: {…} } } }"],
    [Redacted.make("x"), "<redacted>"],
    [{ secretive: Redacted.make("x"), plain: Redacted.make("x") }, "{ secretive: ********, plain: <redacted> }"],
    [new Date(0), "1970-01-01T00:00:00.000Z"],
    [new Map([[1, 2]]), "Map(1)"],
    [new Uint8Array(3), "Uint8Array(3)"],
    [new RangeError("far"), "RangeError: far"]
  ])("shows %o", (value, expected) => {
    expect(Preview.of(value)).toBe(expected)
  })

  it("does not call getters, and shows that a value cannot be read", () => {
    const getter = Object.defineProperty({}, "getter", { enumerable: true, get: () => expect.fail("called") })
    const refuse = () => {
      throw new Error("no")
    }
    expect(Preview.of(getter)).toBe("{ getter: <getter> }")
    expect(Preview.of(new Proxy({}, { ownKeys: refuse }))).toBe("<unreadable>")
  })

  it.prop("is one line of at most 80 characters", [FastCheck.anything()], ([value]) => {
    const preview = Preview.of(value)
    expect(preview.length).toBeLessThanOrEqual(80)
    expect(preview).not.toMatch(/[\n\r]/)
  })

  it.each(Throwables.texts)("is one visible line for %j", (text) => {
    // oxlint-disable-next-line no-control-regex -- what must not be there
    expect(Preview.of({ [text]: text })).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u202A-\u202E]/)
  })

  it("hides a secret before it cuts, so that no half of it is left", () => {
    const secret = "0123456789abcdef".repeat(4)
    const shown = Preview.of({ note: `${"x".repeat(40)} ${secret}` }, [secret])
    expect(shown).not.toContain("0123")
    expect(shown).toContain("********")
  })

  it("masks by name", () => {
    expect(Preview.named("token", { a: 1 })).toBe("********")
  })
})
