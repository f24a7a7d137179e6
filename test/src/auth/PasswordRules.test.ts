import { describe, expect, it } from "@effect/vitest"
import * as PasswordRules from "../../../src/auth/internal/passwords/PasswordRules.ts"

describe("PasswordRules.problem", () => {
  it.each([
    ["at least 8 characters", "1234567", "Use at least 8 characters."],
    ["counts code points, not bytes or halves", "🦊🦊🦊🦊", "Use at least 8 characters."],
    ["takes any character", "🦊🐻🐼🐨🐯🦁🐮🐷", undefined],
    ["takes spaces and controls", " \t\n \0 \u2028 x", undefined],
    ["at most 1,024 bytes", "é".repeat(513), "Use at most 1024 bytes."],
    ["takes 1,024 bytes", "é".repeat(512), undefined],
    ["takes no half of a character", "quiet harbour \ud83e", "Use whole characters."],
    ["takes the character that stands for a lost one", "quiet harbour \ufffd", undefined],
    ["not the e-mail, however it is spelled", " Someone@Example.com", "Use something else than your e-mail."],
    ["not a common one", "password", "This password is one of the most common. Choose another."],
    ["not a common one in another case", "PassWord", "This password is one of the most common. Choose another."],
    ["takes the demo's", "correct-horse-battery", undefined]
  ])("%s", (_, password, expected) => {
    expect(PasswordRules.problem(password, "someone@example.com")).toBe(expected)
  })
})
