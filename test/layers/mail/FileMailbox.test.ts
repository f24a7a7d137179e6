import { expect, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as FileMailbox from "../../../layers/mail/FileMailbox.ts"
import * as FileMailer from "../../../layers/mail/FileMailer.ts"
import { Address, Line, MailMessage, Sender } from "../../../src/mail/MailMessage.ts"
import { Mailbox } from "../../../src/mail/Mailbox.ts"
import { Mailer } from "../../../src/mail/Mailer.ts"
import { folder } from "../../support/Demo.ts"

const sender = new Sender({ name: Line.make(""), address: Address.make("no-reply@example.com") })

const message = (subject: string) =>
  new MailMessage({
    to: Address.make("ada@example.com"),
    subject: Line.make(subject),
    text: Redacted.make("Open http://localhost/verify/a/b"),
    html: Redacted.make("<p>Hello</p>")
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
