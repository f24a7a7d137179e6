import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck, Layer, Option, Redacted } from "effect"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as FileMailbox from "../../../layers/mail/internal/FileMailbox.ts"
import * as FileMailer from "../../../layers/mail/FileMailer.ts"
import { compose } from "../../../layers/mail/internal/MimeMessage.ts"
import { Address, Line, MailMessage, Sender } from "../../../src/mail/MailMessage.ts"
import { Mailbox } from "../../../src/mail/internal/Mailbox.ts"
import { Mailer } from "../../../src/mail/Mailer.ts"
import { folder } from "../../support/Demo.ts"

const sender = new Sender({ name: Line.make(""), address: Address.make("no-reply@example.com") })

const message = (subject: string, text = "Open http://localhost/verify/a/b", html = "<p>Hello</p>") =>
  new MailMessage({
    to: Address.make("ada@example.com"),
    subject: Line.make(subject),
    text: Redacted.make(text),
    html: Redacted.make(html)
  })

const open = Effect.fnUntraced(function* (path: string) {
  const context = yield* Layer.build(FileMailbox.layer({ folder: path }))
  const mailbox = yield* Effect.provide(Mailbox, context)
  return mailbox ?? expect.fail("no mailbox")
})

it.scopedLive("lists the messages of the file transport, the newest first, and reads one", () =>
  Effect.gen(function* () {
    const path = join(yield* folder, "mails")
    const mailbox = yield* open(path)
    expect(yield* mailbox.list).toEqual({ messages: [], more: 0 })
    const send = Effect.flatMap(Mailer, (mailer) =>
      Effect.forEach(["First", "Second"], (subject) => mailer.send(message(subject)))
    )
    yield* Effect.provide(send, FileMailer.layerWith({ folder: path, sender }))
    const { messages } = yield* mailbox.list
    expect(messages.map(({ from, subject, to }) => [subject, to, from])).toEqual([
      ["Second", "ada@example.com", "no-reply@example.com"],
      ["First", "ada@example.com", "no-reply@example.com"]
    ])
    const read = yield* mailbox.read(messages[1]?.name ?? "")
    expect(Option.getOrUndefined(read)).toMatchObject({
      subject: "First",
      text: "Open http://localhost/verify/a/b",
      html: "<p>Hello</p>"
    })
  })
)

it.scopedLive("reads nothing else: no path, no link, no folder, no other file", () =>
  Effect.gen(function* () {
    const root = yield* folder
    const path = join(root, "mails")
    mkdirSync(join(path, "1-1-4.eml"), { recursive: true })
    writeFileSync(join(root, "1-1-1.eml"), "Subject: outside\r\n\r\n")
    writeFileSync(join(path, "secret.txt"), "Subject: secret\r\n\r\n")
    symlinkSync(join(root, "1-1-1.eml"), join(path, "1-1-2.eml"))
    writeFileSync(join(path, "1-1-3.eml"), "")
    const mailbox = yield* open(path)
    for (const name of [
      "../1-1-1.eml",
      "..%2f1-1-1.eml",
      "/etc/passwd",
      "secret.txt",
      "1-1-2.eml",
      "1-1-4.eml",
      "1-1-9.eml",
      "1-1-3.eml\0",
      ".",
      ""
    ]) {
      expect(Option.isNone(yield* mailbox.read(name)), name).toBe(true)
    }
    expect((yield* mailbox.list).messages.map(({ name }) => name)).toEqual(["1-1-3.eml"])
    expect(Option.isSome(yield* mailbox.read("1-1-3.eml"))).toBe(true)
  })
)

it.scopedLive("lists a hundred and counts the rest", () =>
  Effect.gen(function* () {
    const path = yield* folder
    for (let at = 0; at < 105; at++) writeFileSync(join(path, `${at}-1-1.eml`), `Subject: ${at}\r\n\r\n`)
    const { messages, more } = yield* (yield* open(path)).list
    expect([messages.length, messages[0]?.subject, more]).toEqual([100, "104", 5])
  })
)

const greeter = new Sender({ name: Line.make("Grüße & Co"), address: Address.make("no-reply@example.com") })
const envelope = { sender: greeter, id: "1", date: 1_700_000_000_000 }

const lines = (text: string) => text.replace(/\r\n|\r/g, "\n")

describe("A message file", () => {
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
        const read = yield* FileMailbox.parse(bytes)
        expect(read.to).toBe("ada@example.com")
        expect(read.from).toBe("Grüße & Co <no-reply@example.com>")
        expect(read.subject).toBe(line)
        expect(lines(read.text).trimEnd()).toBe(lines(`${text} end`))
        expect(lines(read.html).trimEnd()).toBe(lines(`<p>${html}</p>`))
      })
  )

  it.effect("reads nested parts, quoted-printable, other character sets and bare line feeds", () =>
    Effect.gen(function* () {
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
      const read = yield* FileMailbox.parse(Buffer.from(raw))
      expect(read).toMatchObject({ subject: "Grüße aus😀", text: "café soft break", html: "<b>hi</b>" })
    })
  )

  it.effect.prop("reads any bytes", [FastCheck.uint8Array({ maxLength: 500 }), FastCheck.string()], ([bytes, text]) =>
    Effect.gen(function* () {
      const parts = Buffer.from(`Content-Type: multipart/x; boundary=a\n\n--a\n${text}\n--a`)
      for (const given of [Buffer.from(bytes), parts]) {
        expect(typeof (yield* FileMailbox.parse(given)).text).toBe("string")
      }
    })
  )

  it.effect("is read as nothing beyond the limits of the parser", () =>
    Effect.gen(function* () {
      const endless = Buffer.from(`X: ${"x".repeat(2_100_000)}\n\ntext`)
      expect(yield* FileMailbox.parse(endless)).toEqual({ from: "", to: "", subject: "", text: "", html: "" })
    })
  )
})
