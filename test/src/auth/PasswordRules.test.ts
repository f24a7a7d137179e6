import { describe, expect, it } from "@effect/vitest"
import * as PasswordRules from "../../../src/auth/internal/passwords/PasswordRules.ts"
import { FastCheck as fc } from "effect"

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
    ["not the e-mail, however it is spelled", " Someone@Example.com", "Use something other than your e-mail address."],
    ["not a common one", "password", "This password is one of the most common. Choose another."],
    ["not a common one in another case", "PassWord", "This password is one of the most common. Choose another."],
    ["takes the demo's", "correct-horse-battery", undefined]
  ])("%s", (_, password, expected) => {
    expect(PasswordRules.problem(password, "someone@example.com")).toBe(expected)
  })
})

const words = PasswordRules.wordsOf({
  email: "anna.Lindgren+tea@teahouse.example.org",
  host: "shop.teapot.example",
  names: ["Anna Lindgren", "Straße"]
})

describe("PasswordRules.wordsOf", () => {
  it("are those of the address, the site and the profile with four characters or more", () => {
    expect(new Set(words)).toEqual(
      new Set([
        "anna.lindgren+tea",
        "anna",
        "lindgren",
        "anna lindgren",
        "straße",
        "teahouse",
        "example",
        "shop",
        "teapot"
      ])
    )
  })

  it("take a host without a dot as a whole, and an address that is none", () => {
    expect(PasswordRules.wordsOf({ email: "someone", host: "localhost", names: [] })).toEqual(["localhost", "someone"])
  })
})

describe("PasswordRules.isGuessable", () => {
  it.each([
    ["the word alone", "teahouse", true],
    ["in capitals", "TEAHOUSE", true],
    ["with digits", "Teahouse2026", true],
    ["two words", "annalindgren", true],
    ["two words and a sign", "Anna-Lindgren!", true],
    ["in full width", "ｔｅａｈｏｕｓｅ12", true],
    ["five other characters", "12teahouse345", true],
    ["six other characters", "123teahouse456", false],
    ["within a phrase", "my teahouse is warm", false],
    ["without any word", "quiet harbour", false]
  ])("%s", (_, password, expected) => {
    expect(PasswordRules.isGuessable(password, words)).toBe(expected)
  })

  it("refuses each word with up to five characters around it, and never throws", () => {
    const around = fc.string({ maxLength: 2 })
    fc.assert(
      fc.property(fc.constantFrom(...words), around, around, (word, before, after) => {
        expect(PasswordRules.isGuessable(`${before}${word}${after}`, words)).toBe(true)
      })
    )
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string({ minLength: 4 })), (password, given) => {
        PasswordRules.isGuessable(password, given)
        expect(PasswordRules.isGuessable(password, [])).toBe(false)
      })
    )
  })
})
