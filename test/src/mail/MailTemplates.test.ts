import { describe, expect, it } from "@effect/vitest"
import { Duration, Either, FastCheck, Redacted } from "effect"
import * as MailTemplates from "../../../src/mail/MailTemplates.ts"

const selector = "0123456789abcdef"
const verifier = "f".repeat(64)

const occasion = {
  to: "ann@example.com",
  base: "https://app.example",
  token: Redacted.make(`${selector}.${verifier}`),
  ttl: Duration.seconds(86400)
}

const letters = { verify: MailTemplates.verification, reset: MailTemplates.recovery } as const
const parts = (letter: Either.Either.Right<ReturnType<typeof MailTemplates.verification>>) =>
  [Redacted.value(letter.text), Redacted.value(letter.html)] as const

const occurrences = (text: string, piece: string) => text.split(piece).length - 1

for (const path of ["verify", "reset"] as const) {
  describe(`the letter with the ${path} link`, () => {
    const letter = Either.getOrThrow(letters[path](occasion))

    it("holds the link of APP_URL once in each part", () => {
      for (const part of parts(letter)) {
        expect(occurrences(part, `https://app.example/${path}/${selector}/${verifier}`)).toBe(1)
        expect(occurrences(part, verifier)).toBe(1)
        expect(occurrences(part, "http")).toBe(1)
      }
    })

    it("keeps the link on one line of plain text", () => {
      expect(Redacted.value(letter.text).split("\n")).toContain(`https://app.example/${path}/${selector}/${verifier}`)
    })

    it("goes to the address and tells how long the link lives", () => {
      expect(letter.to).toBe("ann@example.com")
      for (const part of parts(letter)) expect(part).toContain("The link works once, for 24 hours.")
    })

    it("loads nothing and runs nothing", () => {
      expect(Redacted.value(letter.html)).not.toMatch(/<(script|img|link|iframe|object|form)\b|url\(|@import|\son\w+=/i)
    })

    it("says what it is in light and in dark", () => {
      expect(Redacted.value(letter.html)).toMatch(/<meta name="color-scheme" content="light dark" ?\/?>/)
      expect(Redacted.value(letter.html)).toContain("prefers-color-scheme: dark")
    })

    it("refuses an address that would add a header", () => {
      const refused = letters[path]({ ...occasion, to: "a@b.example\r\nBcc: c@d.example" })
      expect(Either.getOrThrow(Either.flip(refused))._tag).toBe("InvalidAddress")
    })

    it("is ASCII in its HTML and escapes what it is given", () => {
      const odd = Either.getOrThrow(letters[path]({ ...occasion, base: "https://app.example/\u00fc'\"><b" }))
      const markup = Redacted.value(odd.html)
      expect(markup).toMatch(/^[\0-\x7f]*$/)
      expect(markup).toContain(`href="https://app.example/&#252;&#39;&quot;&gt;&lt;b/${path}/`)
    })
  })
}

describe("spoken", () => {
  it.each([
    ["1 second", "1 second"],
    ["90 seconds", "1 minute"],
    ["45 minutes", "45 minutes"],
    ["60 minutes", "1 hour"],
    ["90 minutes", "90 minutes"],
    ["24 hours", "24 hours"],
    ["48 hours", "2 days"],
    ["30 days", "30 days"]
  ] as const)("says %s as %s", (ttl, text) => {
    expect(MailTemplates.durationInWords(ttl)).toBe(text)
  })

  it("never promises more than the truth, nor less than half of it", () => {
    const units = { second: 1, minute: 60, hour: 3600, day: 86400 } as const
    FastCheck.assert(
      FastCheck.property(FastCheck.integer({ min: 1, max: 10_000_000 }), (seconds) => {
        const [count, unit] = MailTemplates.durationInWords(Duration.seconds(seconds)).split(" ")
        const name = unit?.replace(/s$/, "")
        const said =
          name === "second" || name === "minute" || name === "hour" || name === "day" ? units[name] : Number.NaN
        expect(Number(count) * said).toBeLessThanOrEqual(seconds)
        expect(Number(count) * said).toBeGreaterThan(seconds / 2)
      })
    )
  })
})
