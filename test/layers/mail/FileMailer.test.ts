import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as FileMailer from "../../../layers/mail/FileMailer.ts"
import { Mailer } from "../../../src/mail/Mailer.ts"
import { messageTo, linkOf, sender } from "../../support/Messages.ts"
import { parseMail } from "../../support/Mime.ts"

const temporary = Effect.acquireRelease(
  Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), "framework-mails-"))),
  (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true, force: true }))
)

const mailerIn = (folder: string) =>
  Effect.map(Layer.build(FileMailer.layerWith({ folder, sender })), (context) => Context.get(context, Mailer))

const modeOf = (path: string) => (Fs.statSync(path).mode & 0o777).toString(8)

describe("the file sink", () => {
  it.scopedLive("writes a message that a mail program reads", () =>
    Effect.gen(function* () {
      const folder = Path.join(yield* temporary, "storage", "mails")
      const mailer = yield* mailerIn(folder)
      yield* mailer.send(messageTo("ann@example.com"))
      const [name = ""] = Fs.readdirSync(folder)
      const mail = parseMail(Fs.readFileSync(Path.join(folder, name), "utf8"))
      expect(mail.header("to")).toBe("ann@example.com")
      expect(mail.header("from")).toBe("no-reply@example.com")
      expect(mail.header("message-id")).toMatch(/^<[0-9a-f-]{36}@example\.com>$/)
      expect(mail.text).toContain(linkOf("ann@example.com"))
      expect(mail.html).toContain(linkOf("ann@example.com"))
    })
  )

  it.effect("names a file by time, sequence and process", () =>
    Effect.gen(function* () {
      const folder = Path.join(yield* temporary, "mails")
      const mailer = yield* mailerIn(folder)
      yield* mailer.send(messageTo("ann@example.com"))
      yield* mailer.send(messageTo("ann@example.com"))
      expect(Fs.readdirSync(folder).sort()).toEqual([`0-1-${process.pid}.eml`, `0-2-${process.pid}.eml`])
    }).pipe(Effect.scoped)
  )

  it.scopedLive("keeps folder and files to their owner, also where the folder was open before", () =>
    Effect.gen(function* () {
      const folder = Path.join(yield* temporary, "mails")
      Fs.mkdirSync(folder, { mode: 0o777 })
      Fs.chmodSync(folder, 0o777)
      const mailer = yield* mailerIn(folder)
      yield* mailer.send(messageTo("ann@example.com"))
      expect(modeOf(folder)).toBe("700")
      expect(Fs.readdirSync(folder).map((name) => modeOf(Path.join(folder, name)))).toEqual(["600"])
    })
  )

  it.effect("loses none of many messages at once, of two layers with the same clock and process", () =>
    Effect.gen(function* () {
      const folder = Path.join(yield* temporary, "mails")
      const first = yield* mailerIn(folder)
      const second = yield* mailerIn(folder)
      const messages = Array.from({ length: 200 }, (_, index) => messageTo(`n${index}@example.com`))
      yield* Effect.forEach(messages, (message, index) => (index % 2 === 0 ? first : second).send(message), {
        concurrency: "unbounded"
      })
      const names = Fs.readdirSync(folder)
      const addresses = names.map((name) => parseMail(Fs.readFileSync(Path.join(folder, name), "utf8")).header("to"))
      expect(names.every((name) => /^\d+-\d+-\d+\.eml$/.test(name))).toBe(true)
      expect(new Set(addresses).size).toBe(200)
    }).pipe(Effect.scoped)
  )

  it.scopedLive("never shows half a message", () =>
    Effect.gen(function* () {
      const folder = Path.join(yield* temporary, "mails")
      const mailer = yield* mailerIn(folder)
      Fs.mkdirSync(folder)
      const broken: Array<string> = []
      const watcher = Fs.watch(folder, (_, name) => {
        if (name === null || !name.endsWith(".eml")) return
        const text = Fs.readFileSync(Path.join(folder, name), "utf8")
        if (!text.endsWith("--\r\n")) broken.push(name)
      })
      const messages = Array.from({ length: 100 }, (_, index) => messageTo(`n${index}@example.com`))
      yield* Effect.forEach(messages, (message) => mailer.send(message), { concurrency: 10 })
      watcher.close()
      expect(broken).toEqual([])
      expect(Fs.readdirSync(folder)).toHaveLength(100)
    })
  )

  it.scopedLive("comes back when somebody removed the folder", () =>
    Effect.gen(function* () {
      const folder = Path.join(yield* temporary, "mails")
      const mailer = yield* mailerIn(folder)
      yield* mailer.send(messageTo("ann@example.com"))
      Fs.rmSync(folder, { recursive: true })
      yield* mailer.send(messageTo("ann@example.com"))
      expect(Fs.readdirSync(folder)).toHaveLength(1)
      expect(modeOf(folder)).toBe("700")
    })
  )

  it.scopedLive("names the error that prevented a message from being written", () =>
    Effect.gen(function* () {
      const folder = Path.join(yield* temporary, "mails")
      const mailer = yield* mailerIn(folder)
      Fs.writeFileSync(folder, "a file in its place")
      expect((yield* Effect.flip(mailer.send(messageTo("ann@example.com")))).reason).toBe(
        "the file was not written (ENOTDIR)"
      )
    })
  )
})
