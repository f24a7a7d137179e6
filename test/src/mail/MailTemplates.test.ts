import { describe, expect, it } from "@effect/vitest"
import { Duration, Either, Redacted } from "effect"
import * as LinkMessage from "../../../src/mail/internal/LinkMessage.ts"
import * as MailTemplates from "../../../src/mail/MailTemplates.ts"

const selector = "0123456789abcdef"
const verifier = "f".repeat(64)

const options = {
  to: "ann@example.com",
  base: "https://app.example",
  token: Redacted.make(`${selector}.${verifier}`),
  ttl: Duration.seconds(86400)
}

const messages = { verify: MailTemplates.verification, reset: MailTemplates.recovery } as const
const parts = (message: Either.Either.Right<ReturnType<typeof MailTemplates.verification>>) =>
  [Redacted.value(message.text), Redacted.value(message.html)] as const

const occurrences = (text: string, piece: string) => text.split(piece).length - 1

for (const path of ["verify", "reset"] as const) {
  describe(`the message with the ${path} link`, () => {
    const message = Either.getOrThrow(messages[path](options))

    it("holds the link of APP_URL once in each part", () => {
      for (const part of parts(message)) {
        expect(occurrences(part, `https://app.example/${path}/${selector}/${verifier}`)).toBe(1)
        expect(occurrences(part, verifier)).toBe(1)
        expect(occurrences(part, "http")).toBe(1)
      }
    })

    it("keeps the link on one line of plain text", () => {
      expect(Redacted.value(message.text).split("\n")).toContain(`https://app.example/${path}/${selector}/${verifier}`)
    })

    it("goes to the address and says how long the link is valid", () => {
      expect(message.to).toBe("ann@example.com")
      for (const part of parts(message)) expect(part).toContain("The link works once, for 24 hours.")
    })

    it("loads nothing and runs nothing", () => {
      expect(Redacted.value(message.html)).not.toMatch(
        /<(script|img|link|iframe|object|form)\b|url\(|@import|\son\w+=/i
      )
    })

    it("declares that it supports light and dark", () => {
      expect(Redacted.value(message.html)).toMatch(/<meta name="color-scheme" content="light dark" ?\/?>/)
      expect(Redacted.value(message.html)).toContain("prefers-color-scheme: dark")
    })

    it("refuses an address that would add a header", () => {
      const refused = messages[path]({ ...options, to: "a@b.example\r\nBcc: c@d.example" })
      expect(Either.getOrThrow(Either.flip(refused))._tag).toBe("InvalidAddress")
    })

    it("is ASCII in its HTML and escapes what it is given", () => {
      const odd = Either.getOrThrow(messages[path]({ ...options, base: "https://app.example/\u00fc'\"><b" }))
      const markup = Redacted.value(odd.html)
      expect(markup).toMatch(/^[\0-\x7f]*$/)
      expect(markup).toContain(`href="https://app.example/&#252;&#39;&quot;&gt;&lt;b/${path}/`)
    })
  })
}

const notices = [
  "passwordChanged",
  "passwordReset",
  "newSignIn",
  "factorAdded",
  "factorRemoved",
  "severalChanges",
  "theft"
] as const

describe.each(notices)("the message after %s", (kind) => {
  const compose = (seen?: string) =>
    Either.getOrThrow(LinkMessage.compose(MailTemplates.render, kind, { ...options, ttl: Duration.days(7), seen }))

  it("has a link to say that it was someone else, once in each part", () => {
    for (const part of parts(compose("Firefox on Linux"))) {
      expect(occurrences(part, `https://app.example/not-me/${selector}/${verifier}`)).toBe(1)
      expect(occurrences(part, "http")).toBe(1)
      expect(part).toContain("This was not me")
      expect(part).toContain("The link works once, for 7 days.")
    }
  })

  it("tells when and where, escaped, where that is known", () => {
    const seen = "<b>Firefox</b> at 192.0.2.7"
    const [text, markup] = parts(compose(seen))
    expect(text).toContain(`\n${seen}\n`)
    expect(markup).toContain("&lt;b&gt;Firefox")
    for (const part of parts(compose())) expect(part).not.toContain("undefined")
  })
})
