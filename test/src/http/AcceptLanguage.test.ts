import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as AcceptLanguage from "../../../src/http/internal/AcceptLanguage.ts"

const offers = ["en", "de", "pt-BR"] as const

describe("AcceptLanguage.choose", () => {
  it.each([
    [undefined, "en", "en"],
    ["", "en", "en"],
    ["de", "de", "de"],
    ["DE", "de", "de"],
    ["de-AT", "de", "de-AT"],
    ["de-at-1996", "de", "de-AT"],
    ["de-Latn-CH", "de", "de-CH"],
    ["en-GB,en;q=0.9,de;q=0.8", "en", "en-GB"],
    ["fr-CH, fr;q=0.9, de;q=0.7, *;q=0.5", "de", "de"],
    ["fr", "en", "en"],
    ["fr, *", "en", "en"],
    ["en;q=0.3, de;q=0.7", "de", "de"],
    ["en;q=0, de;q=0.1", "de", "de"],
    ["en;q=0, *", "de", "de"],
    ["de;q=0", "en", "en"],
    ["de-AT, de;q=0", "en", "en"],
    ["de;q=0.5, en;q=0.5", "de", "de"],
    ["pt-br", "pt-BR", "pt-BR"],
    // Lookup shortens what was asked for, never what is offered.
    ["pt", "en", "en"],
    ["de;q=1.5", "de", "de"],
    ["de;q=nonsense, pt-BR;q=0.1", "pt-BR", "pt-BR"],
    ["d€, de", "de", "de"],
    [",,;;,de", "de", "de"]
  ])("gives for %s the language %s, read as %s", (header, tag, locale) => {
    expect(AcceptLanguage.choose(header, offers)).toEqual({ tag, locale })
  })

  it("gives one of the offers and a locale that Intl accepts, whatever a client sends", () => {
    const part = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom("de", "de-AT", "*", "en-GB", ";q=0", ";q=0.5", ";q=", ",", "-", "x-y", "zh-Hant-TW")
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const { locale, tag } = AcceptLanguage.choose(parts.join(""), offers)
        expect(offers).toContain(tag)
        expect(locale.startsWith(tag)).toBe(true)
        expect(() => new Intl.DateTimeFormat(locale)).not.toThrow()
      })
    )
  })

  it("prefers the highest weight, whatever the order", () => {
    const weights = fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(weights, fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), (given, order) => {
        const ranges = offers.map((offer, index) => `${offer};q=0.${String(given[index]).padStart(3, "0")}`)
        const best = offers[given.indexOf(Math.max(...given))]
        expect(AcceptLanguage.choose(order.map((index) => ranges[index]).join(", "), offers).tag).toBe(best)
      })
    )
  })

  it("reads a bounded part of a long header", () => {
    expect(AcceptLanguage.choose(`${"x,".repeat(10_000)}de`, offers).tag).toBe("en")
  })
})
