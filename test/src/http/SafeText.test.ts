import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as SafeText from "../../../src/http/internal/text/SafeText.ts"
import * as Throwables from "../../support/Throwables.ts"

// oxlint-disable-next-line no-control-regex -- what must not be there
const unseen = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/

describe("Plain", () => {
  it.each([
    ["\u001B[31m", "\\x1b[31m"],
    ["a\u202Eb", "a\\u202eb"],
    ["a\r\nb\rc", "a\nb\nc"],
    ["a\tb", "a\tb"],
    ["grüße 你好 👋", "grüße 你好 👋"]
  ])("spells out what cannot be seen in %j", (given, expected) => {
    expect(SafeText.visible(given)).toBe(expected)
  })

  it.prop("leaves nothing invisible", [FastCheck.string({ unit: "binary" })], ([text]) => {
    expect(SafeText.visible(text)).not.toMatch(unseen)
    expect(SafeText.line(text)).not.toMatch(/[\n\t]/)
  })

  it.each(Throwables.texts)("leaves nothing invisible in %j", (text) => {
    expect(SafeText.visible(text)).not.toMatch(unseen)
  })

  it("marks a cut and splits no pair", () => {
    expect(SafeText.clip("abcdef", 6)).toBe("abcdef")
    expect(SafeText.clip("abcdefg", 6)).toBe("abcde…")
    expect(SafeText.clip("abc👋👋", 5)).toBe("abc…")
  })
})
