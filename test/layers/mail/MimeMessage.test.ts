import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, FastCheck, Option, Redacted, Schema } from "effect"
import { compose, type Envelope } from "../../../layers/mail/internal/MimeMessage.ts"
import { Address, Line, MailMessage, parseAddress, Sender } from "../../../src/mail/MailMessage.ts"
import { parseMail } from "../../support/Mime.ts"

const from = new Sender({ name: Line.make("Example"), address: Address.make("no-reply@example.com") })
const envelope = { sender: from, id: "0f4c", date: Date.UTC(2026, 0, 2, 3, 4, 5) }

const messageOf = (to: string, subject: string, text: string, html: string) =>
  new MailMessage({
    to: Either.getOrThrow(parseAddress(to)),
    subject: Line.make(subject),
    text: Redacted.make(text),
    html: Redacted.make(html)
  })

const textOf = async (message: MailMessage, given: Envelope = envelope) =>
  (await Effect.runPromise(compose(message, given))).toString()

const names = ["auto-submitted", "content-type", "date", "from", "message-id", "mime-version", "subject", "to"]

// A name such as `.a` is written as `<".a"@b.example>`.
const unquoted = (address = "") => address.replace(/^<"([^"\\\s<>,]+)"@b\.example>$/, "$1@b.example")

describe("compose", () => {
  it("writes a message with a plain text and an HTML part", async () => {
    const text = await textOf(messageOf("a@b.example", "Hello", "Hi\nthere\n", "<p>Hi</p>\n"))
    const mail = parseMail(text)
    expect(Object.fromEntries(mail.headers)).toEqual({
      from: "Example <no-reply@example.com>",
      to: "a@b.example",
      subject: "Hello",
      date: "Fri, 02 Jan 2026 03:04:05 +0000",
      "message-id": "<0f4c@example.com>",
      "auto-submitted": "auto-generated",
      "mime-version": "1.0",
      "content-type": expect.stringMatching(/^multipart\/alternative; boundary="[^"]+"$/)
    })
    expect(text.split(/\r\n--[^\r]+/).slice(1)).toEqual([
      "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\nHi\r\nthere\r\n",
      "\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n<p>Hi</p>\r\n",
      "\r\n"
    ])
  })

  it("keeps a long link in one line of each part", async () => {
    const link = `https://app.example/verify/${"a".repeat(16)}/${"b".repeat(64)}`
    const text = await textOf(messageOf("a@b.example", "x", `Open\n\n${link}\n`, `<a href="${link}">Open</a>`))
    expect(text.split(link)).toHaveLength(3)
  })

  it("encodes a body beyond ASCII, and one with a line that is too long for SMTP", async () => {
    const mail = await textOf(messageOf("a@b.example", "x", "Gr\u00fc\u00dfe", "a".repeat(1200)))
    expect(mail.split("\r\n").every((line) => line.length <= 998 && /^[\x20-\x7e]*$/.test(line))).toBe(true)
    expect(parseMail(mail)).toMatchObject({ text: "Gr\u00fc\u00dfe", html: "a".repeat(1200) })
  })

  it.each(['Evil" <e@e.example>', "a, b", "Gr\u00fc\u00dfe", "=?UTF-8?B?YQ==?="])(
    "quotes or encodes the sender's name %s, which would read as something else",
    async (name) => {
      const sender = new Sender({ name: Line.make(name), address: from.address })
      const mail = await textOf(messageOf("a@b.example", "x", "x", "x"), { ...envelope, sender })
      const line = mail.split("\r\n").find((line) => line.startsWith("From:"))
      expect(line).toMatch(
        /^From: (?:(?:=\?UTF-8\?B\?[A-Za-z0-9+/=]+\?= ?)+|"(?:[^"\\]|\\.)*") <no-reply@example\.com>$/
      )
      expect(parseMail(mail).header("from")).toBe(`${name} <no-reply@example.com>`)
    }
  )

  it("has the same eight header fields for any content, and preserves the content", async () => {
    const line = FastCheck.fullUnicodeString({ maxLength: 120 }).filter((text) =>
      Option.isSome(Schema.decodeOption(Line)(text))
    )
    const body = FastCheck.fullUnicodeString({ maxLength: 300 }).map((text) => text.replace(/\r\n?/g, "\n"))
    const local = FastCheck.stringMatching(/^[a-z0-9.!#$%&'*+/=?^_`{|}~\u00e9\u4e2d-]{1,20}$/)
    await FastCheck.assert(
      FastCheck.asyncProperty(local, line, body, body, async (name, subject, text, html) => {
        const mail = parseMail(await textOf(messageOf(`${name}@b.example`, subject, text, html)))
        const trimmed = subject.trim()
        // nodemailer leaves out an empty subject.
        const expected = names.filter((field) => field !== "subject" || trimmed !== "")
        expect(mail.headers.map(([name]) => name).sort()).toEqual(expected)
        expect(unquoted(mail.header("to"))).toBe(`${name}@b.example`)
        expect(mail.header("subject") ?? "").toBe(trimmed)
        expect(mail.text).toBe(text)
        expect(mail.html).toBe(html)
      }),
      { numRuns: 300 }
    )
  })

  it.each([
    ['" ', '"'],
    [" x ", "x"],
    [" \u00fc ", "\u00fc"]
  ])("trims the subject %j", async (subject, trimmed) => {
    expect(parseMail(await textOf(messageOf("a@b.example", subject, "x", "x"))).header("subject")).toBe(trimmed)
  })

  it("keeps every encoded word within 75 characters and never splits a character", async () => {
    const subject = "\u{1f4e8}".repeat(60)
    const mail = await textOf(messageOf("a@b.example", subject, "x", "x"))
    const words = mail.match(/=\?UTF-8\?B\?[^?]*\?=/g) ?? []
    expect(words.length).toBeGreaterThan(1)
    expect(words.every((word) => word.length <= 75)).toBe(true)
    expect(parseMail(mail).header("subject")).toBe(subject)
  })
})
