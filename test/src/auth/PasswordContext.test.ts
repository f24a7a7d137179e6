import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as PasswordContext from "../../../src/auth/internal/passwords/PasswordContext.ts"

const words = PasswordContext.wordsOf({
  email: "anna.Lindgren+tea@teahouse.example.org",
  host: "shop.teapot.example",
  names: ["Anna Lindgren", "Straße"]
})

describe("PasswordContext.wordsOf", () => {
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
    expect(PasswordContext.wordsOf({ email: "someone", host: "localhost", names: [] })).toEqual([
      "localhost",
      "someone"
    ])
  })
})

describe("PasswordContext.isGuessable", () => {
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
    expect(PasswordContext.isGuessable(password, words)).toBe(expected)
  })

  it("refuses each word with up to five characters around it, and never throws", () => {
    const around = fc.string({ maxLength: 2 })
    fc.assert(
      fc.property(fc.constantFrom(...words), around, around, (word, before, after) => {
        expect(PasswordContext.isGuessable(`${before}${word}${after}`, words)).toBe(true)
      })
    )
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string({ minLength: 4 })), (password, given) => {
        PasswordContext.isGuessable(password, given)
        expect(PasswordContext.isGuessable(password, [])).toBe(false)
      })
    )
  })
})
