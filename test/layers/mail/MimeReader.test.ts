import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck, Redacted } from "effect"
import { compose } from "../../../layers/mail/MimeMessage.ts"
import * as MimeReader from "../../../layers/mail/MimeReader.ts"
import { Address, Line, MailMessage, Sender } from "../../../src/mail/MailMessage.ts"

const sender = new Sender({ name: Line.make("Grüße & Co"), address: Address.make("no-reply@example.com") })
const envelope = { sender, id: "1", date: 1_700_000_000_000 }

const message = (subject: string, text: string, html: string) =>
  new MailMessage({
    to: Address.make("ada@example.com"),
    subject: Line.make(subject),
    text: Redacted.make(text),
    html: Redacted.make(html)
  })

const lines = (text: string) => text.replace(/\r\n|\r/g, "\n")

describe("MimeReader", () => {
  it.effect.prop(
    "reads what the file transport writes",
    [
      FastCheck.string({ unit: "grapheme-composite", minLength: 1, maxLength: 90 }).filter((text) =>
        /^[^\p{C}\p{Z}]/u.test(text)
      ),
      FastCheck.string({ unit: "grapheme-composite", maxLength: 400 }),
      FastCheck.string({ maxLength: 400 })
    ],
    ([subject, text, html]) =>
      Effect.gen(function* () {
        const line = subject.replace(/[\p{C}\p{Z}]+/gu, " ").trim()
        const bytes = yield* compose(message(line, `${text} end`, `<p>${html}</p>`), envelope)
        const read = MimeReader.read(bytes)
        expect(read.to).toBe("ada@example.com")
        expect(read.from).toBe("Grüße & Co <no-reply@example.com>")
        expect(read.subject).toBe(line)
        expect(lines(read.text).trimEnd()).toBe(lines(`${text} end`))
        expect(lines(read.html).trimEnd()).toBe(lines(`<p>${html}</p>`))
      })
  )

  it("reads nested parts, quoted-printable, other character sets and bare line feeds", () => {
    const raw = [
      "Subject: =?iso-8859-1?Q?Gr=FC=DFe_aus?=",
      " =?utf-8?B?8J+YgA==?=",
      "Content-Type: multipart/mixed; boundary=outer",
      "",
      "--outer",
      'Content-Type: multipart/alternative; boundary="in ner"',
      "",
      "--in ner",
      "Content-Type: text/plain; charset=iso-8859-1",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      "caf=E9 soft=",
      " break",
      "--in ner",
      "Content-Type: text/html",
      "",
      "<b>hi</b>",
      "--in ner--",
      "--outer",
      "Content-Type: application/pdf",
      "Content-Transfer-Encoding: base64",
      "",
      "AAAA",
      "--outer--",
      ""
    ].join("\n")
    const read = MimeReader.read(Buffer.from(raw))
    expect(read).toMatchObject({ subject: "Grüße aus😀", text: "café soft break", html: "<b>hi</b>" })
  })

  it.prop("reads any bytes", [FastCheck.uint8Array({ maxLength: 500 }), FastCheck.string()], ([bytes, text]) => {
    for (const given of [
      Buffer.from(bytes),
      Buffer.from(`Content-Type: multipart/x; boundary=a\n\n--a\n${text}\n--a`)
    ]) {
      expect(typeof MimeReader.read(given).text).toBe("string")
    }
  })
})
