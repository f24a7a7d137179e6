import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck, Option, Redacted, Schema } from "effect"
import { Address, address, MailMessage, Line, Sender } from "../../../src/mail/MailMessage.ts"
import { encode } from "../../../src/mail/MimeEncoder.ts"
import { parseMail } from "../../support/Mime.ts"

const from = new Sender({ name: Line.make("Example"), address: Address.make("no-reply@example.com") })
const envelope = { sender: from, id: "0f4c", date: Date.UTC(2026, 0, 2, 3, 4, 5) }

const letterOf = (to: string, subject: string, text: string, html: string) =>
  new MailMessage({
    to: Either.getOrThrow(address(to)),
    subject: Line.make(subject),
    text: Redacted.make(text),
    html: Redacted.make(html)
  })

const names = ["from", "to", "subject", "date", "message-id", "auto-submitted", "mime-version", "content-type"]

describe("encode", () => {
  it("writes a message with a plain and an HTML part", () => {
    expect(encode(letterOf("a@b.example", "Hello", "Hi\nthere\n", "<p>Hi</p>\n"), envelope)).toBe(
      [
        "From: Example <no-reply@example.com>",
        "To: a@b.example",
        "Subject: Hello",
        "Date: Fri, 02 Jan 2026 03:04:05 +0000",
        "Message-ID: <0f4c@example.com>",
        "Auto-Submitted: auto-generated",
        "MIME-Version: 1.0",
        'Content-Type: multipart/alternative; boundary="=_0f4c"',
        "",
        "--=_0f4c",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 7bit",
        "",
        "Hi",
        "there",
        "",
        "--=_0f4c",
        "Content-Type: text/html; charset=utf-8",
        "Content-Transfer-Encoding: 7bit",
        "",
        "<p>Hi</p>",
        "",
        "--=_0f4c--",
        ""
      ].join("\r\n")
    )
  })

  it("encodes a body beyond ASCII, and one whose line no server would take", () => {
    const mail = encode(letterOf("a@b.example", "x", "Gr\u00fc\u00dfe", "a".repeat(1200)), envelope)
    expect(mail.split("\r\n").every((line) => line.length <= 998 && /^[\x20-\x7e]*$/.test(line))).toBe(true)
    expect(parseMail(mail)).toMatchObject({ text: "Gr\u00fc\u00dfe", html: "a".repeat(1200) })
  })

  it("encodes a sender's name that would read as something else", () => {
    for (const name of ['Evil" <e@e.example>', "a, b", "Gr\u00fc\u00dfe", "=?UTF-8?B?YQ==?="]) {
      const sender = new Sender({ name: Line.make(name), address: from.address })
      const mail = encode(letterOf("a@b.example", "x", "x", "x"), { ...envelope, sender })
      expect(mail.split("\r\n")[0]).toMatch(/^From: =\?UTF-8\?B\?[A-Za-z0-9+/=]+\?= <no-reply@example\.com>$/)
      expect(parseMail(mail).header("from")).toBe(`${name} <no-reply@example.com>`)
    }
  })

  it("has the same eight header fields whatever the letter says, and gives it back as it was", () => {
    const line = FastCheck.fullUnicodeString({ maxLength: 120 }).filter((text) =>
      Option.isSome(Schema.decodeOption(Line)(text))
    )
    const body = FastCheck.fullUnicodeString({ maxLength: 300 }).map((text) => text.replace(/\r\n?/g, "\n"))
    const local = FastCheck.stringMatching(/^[a-z0-9.!#$%&'*+/=?^_`{|}~\u00e9\u4e2d-]{1,20}$/)
    FastCheck.assert(
      FastCheck.property(local, line, body, body, (name, subject, text, html) => {
        const mail = parseMail(encode(letterOf(`${name}@b.example`, subject, text, html), envelope))
        expect(mail.headers.map(([name]) => name)).toEqual(names)
        expect(mail.header("to")).toBe(`${name}@b.example`)
        expect(mail.header("subject")).toBe(subject)
        expect(mail.text).toBe(text)
        expect(mail.html).toBe(html)
      }),
      { numRuns: 300 }
    )
  })

  it("keeps every encoded word within 75 characters and whole characters in it", () => {
    const subject = "\u{1f4e8}".repeat(60)
    const mail = encode(letterOf("a@b.example", subject, "x", "x"), envelope)
    const words = mail.match(/=\?UTF-8\?B\?[^?]*\?=/g) ?? []
    expect(words.length).toBeGreaterThan(1)
    expect(words.every((word) => word.length <= 75)).toBe(true)
    expect(parseMail(mail).header("subject")).toBe(subject)
  })
})
