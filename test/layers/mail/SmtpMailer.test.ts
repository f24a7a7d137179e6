import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Either, Layer, Logger, Redacted } from "effect"
import * as SmtpMailer from "../../../layers/mail/SmtpMailer.ts"
import { Mailer } from "../../../src/mail/Mailer.ts"
import type { SmtpServer } from "../../../src/mail/MailConfig.ts"
import { selfSigned } from "../../support/Certificate.ts"
import { messageTo, linkOf, sender } from "../../support/Messages.ts"
import { parseMail } from "../../support/Mime.ts"
import { refusal, type Running, serve, serveRaw } from "../../support/SmtpServer.ts"

/** For a server that must be reached: longer than a busy machine delays it. */
const patient = { connection: "1 minute", greeting: "1 minute", idle: "1 minute", delivery: "2 minutes" } as const

/** For a server that is too slow. */
const short = { ...patient, greeting: "300 millis", idle: "300 millis" } as const

const at = (port: number, security: SmtpServer["security"] = "none", more: Partial<SmtpServer> = {}): SmtpServer => ({
  host: "127.0.0.1",
  port,
  security,
  credentials: undefined,
  ...more
})

const mailerFor = (server: SmtpServer, options: Partial<Parameters<typeof SmtpMailer.layerWith>[0]> = {}) =>
  Effect.map(Layer.build(SmtpMailer.layerWith({ server, sender, timeouts: patient, ...options })), (context) =>
    Context.get(context, Mailer)
  )

const ann = messageTo("ann@example.com")
const failure = (result: Either.Either<void, { readonly reason: string }>) =>
  Either.isLeft(result) ? result.left.reason : "delivered"

const localhost = selfSigned("localhost", "127.0.0.1")
const elsewhere = selfSigned("mail.example")

describe("a message over SMTP", () => {
  it.scopedLive("arrives as it was written, to its address alone", () =>
    Effect.gen(function* () {
      const server = yield* serve()
      const mailer = yield* mailerFor(at(server.port))
      const text = ".\n..dots at the start of a line\n.\nend\n"
      yield* mailer.send(messageTo("o'neil+x@example.com", text), { id: "message-1" })
      expect(server.received).toMatchObject([
        { from: "no-reply@example.com", to: ["o'neil+x@example.com"], secure: false }
      ])
      const mail = parseMail(server.received[0]?.raw ?? "")
      expect(mail.text).toBe(text)
      expect(mail.html).toContain(linkOf("o'neil+x@example.com"))
      expect(mail.header("message-id")).toBe("<message-1@example.com>")
      expect(mail.header("to")).toBe("o'neil+x@example.com")
    })
  )

  it.scopedLive("reaches a name beyond ASCII where the server speaks SMTPUTF8", () =>
    Effect.gen(function* () {
      const server = yield* serve()
      const mailer = yield* mailerFor(at(server.port))
      yield* mailer.send(messageTo("jos\u00e9@example.com"))
      expect(server.received[0]?.to).toEqual(["jos\u00e9@example.com"])
      expect(parseMail(server.received[0]?.raw ?? "").header("to")).toBe("jos\u00e9@example.com")
    })
  )

  it.scopedLive("shares a few connections with many others", () =>
    Effect.gen(function* () {
      const server = yield* serve()
      const mailer = yield* mailerFor(at(server.port))
      const messages = Array.from({ length: 40 }, (_, index) => messageTo(`n${index}@example.com`))
      yield* Effect.forEach(messages, (message) => mailer.send(message), { concurrency: "unbounded" })
      expect(new Set(server.received.flatMap(({ to }) => to)).size).toBe(40)
      expect(server.connections.size).toBeLessThanOrEqual(5)
    })
  )

  it.scopedLive("finds a new connection after the server was restarted", () =>
    Effect.gen(function* () {
      const first = yield* serve()
      const mailer = yield* mailerFor(at(first.port))
      yield* mailer.send(ann)
      yield* first.stop
      expect(failure(yield* Effect.either(mailer.send(ann)))).toContain("ECONNREFUSED")
      const second = yield* serve({ port: first.port })
      yield* mailer.send(ann)
      expect(second.received).toHaveLength(1)
    })
  )
})

describe("TLS", () => {
  const tls = { key: localhost.key, cert: localhost.cert }

  it.scopedLive.each(["starttls", "tls"] as const)("protects the message with %s", (security) =>
    Effect.gen(function* () {
      const server = yield* serve({ options: { ...tls, secure: security === "tls" } })
      const mailer = yield* mailerFor(at(server.port, security), { certificateAuthority: localhost.cert })
      yield* mailer.send(ann)
      expect(server.received).toMatchObject([{ secure: true }])
    })
  )

  it.scopedLive.each(["starttls", "tls"] as const)(
    "refuses a certificate of an unknown authority, with %s",
    (security) =>
      Effect.gen(function* () {
        const server = yield* serve({ options: { ...tls, secure: security === "tls" } })
        const mailer = yield* mailerFor(at(server.port, security))
        expect(failure(yield* Effect.either(mailer.send(ann)))).toMatch(/\((ESOCKET|ETLS): .*self-signed certificate/)
        expect(server.received).toEqual([])
      })
  )

  it.scopedLive.each([
    ["starttls", "127.0.0.1"],
    ["starttls", "localhost"],
    ["tls", "127.0.0.1"],
    ["tls", "localhost"]
  ] as const)("refuses the certificate of another host, with %s at %s", ([security, host]) =>
    Effect.gen(function* () {
      const server = yield* serve({ options: { key: elsewhere.key, cert: elsewhere.cert, secure: security === "tls" } })
      const mailer = yield* mailerFor(at(server.port, security, { host }), { certificateAuthority: elsewhere.cert })
      expect(failure(yield* Effect.either(mailer.send(ann)))).toMatch(
        /\((ESOCKET|ETLS): .*does not match certificate's altnames/
      )
      expect(server.received).toEqual([])
    })
  )

  it.scopedLive("sends neither password nor message when STARTTLS is wanted and not offered", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const server = yield* serveRaw((socket) => {
        socket.write("220 ready\r\n")
        socket.on("data", (data) => {
          lines.push(data.toString())
          socket.write(data.toString().startsWith("EHLO") ? "250-hello\r\n250 AUTH PLAIN LOGIN\r\n" : "502 no\r\n")
        })
      })
      const credentials = { username: "ann", password: Redacted.make("swordfish") }
      const mailer = yield* mailerFor(at(server.port, "starttls", { credentials }))
      expect(failure(yield* Effect.either(mailer.send(ann)))).toContain("could not be secured (ETLS")
      expect(lines.join("")).not.toMatch(/AUTH|MAIL|swordfish|c3dvcmRmaXNo/)
    })
  )
})

describe("credentials", () => {
  const options = {
    key: localhost.key,
    cert: localhost.cert,
    onAuth: (
      auth: { username?: string | undefined; password?: string | null | undefined },
      _: unknown,
      callback: (error: Error | null, response?: { user: string }) => void
    ) =>
      auth.username === "ann" && auth.password === "swordfish"
        ? callback(null, { user: "ann" })
        : callback(refusal(535, `bad password ${auth.password}`))
  }

  it.scopedLive("open the server", () =>
    Effect.gen(function* () {
      const server = yield* serve({ options })
      const credentials = { username: "ann", password: Redacted.make("swordfish") }
      const mailer = yield* mailerFor(at(server.port, "starttls", { credentials }), {
        certificateAuthority: localhost.cert
      })
      yield* mailer.send(ann)
      expect(server.received).toMatchObject([{ user: "ann", secure: true }])
    })
  )

  it.scopedLive("that are wrong are neither logged nor part of the failure", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const listening = Logger.replace(
        Logger.defaultLogger,
        Logger.map(Logger.logfmtLogger, (line) => void lines.push(line))
      )
      const server = yield* serve({ options })
      const credentials = { username: "ann", password: Redacted.make("letmein99") }
      const mailer = yield* mailerFor(at(server.port, "starttls", { credentials }), {
        certificateAuthority: localhost.cert
      })
      const error = yield* mailer
        .send(ann)
        .pipe(Effect.tapErrorCause(Effect.logError), Effect.flip, Effect.provide(listening))
      expect(error.reason).toBe("the mail server refused the credentials (EAUTH 535)")
      expect(lines).toHaveLength(1)
      expect(lines.join("") + JSON.stringify(error) + String(error)).not.toMatch(/letmein99|ann@example\.com/)
      expect(server.received).toEqual([])
    })
  )
})

describe("a server that refuses", () => {
  it.scopedLive("the address: the failure has its status and not its words", () =>
    Effect.gen(function* () {
      const server = yield* serve({
        options: { onRcptTo: (address, _, callback) => callback(refusal(550, `<${address.address}> unknown`)) }
      })
      const mailer = yield* mailerFor(at(server.port))
      const error = yield* Effect.flip(mailer.send(ann))
      expect(error.reason).toBe("the mail server refused the sender or the address (EENVELOPE 550)")
      expect(JSON.stringify(error) + String(error)).not.toContain("ann@")
    })
  )

  it.scopedLive.each([451, 552, 554])("the message with %s, and takes the next one", (status) =>
    Effect.gen(function* () {
      let refused = false
      const server = yield* serve({
        onMessage: () => {
          if (refused) return
          refused = true
          throw refusal(status, "spam from ann@example.com")
        }
      })
      const mailer = yield* mailerFor(at(server.port))
      expect((yield* Effect.flip(mailer.send(ann))).reason).toBe(
        `the mail server refused the message (EMESSAGE ${status})`
      )
      yield* mailer.send(ann)
      expect(server.received).toHaveLength(1)
    })
  )

  it.scopedLive("the connection", () =>
    Effect.gen(function* () {
      const server = yield* serve()
      yield* server.stop
      const mailer = yield* mailerFor(at(server.port))
      expect((yield* Effect.flip(mailer.send(ann))).reason).toBe(
        `the connection to the mail server failed (ESOCKET: connect ECONNREFUSED 127.0.0.1:${server.port})`
      )
    })
  )
})

describe("a server that is slow", () => {
  it.scopedLive("to greet is given up", () =>
    Effect.gen(function* () {
      const server = yield* serveRaw(() => {})
      const mailer = yield* mailerFor(at(server.port), { timeouts: short })
      expect((yield* Effect.flip(mailer.send(ann))).reason).toBe("the mail server did not answer in time (ETIMEDOUT)")
    })
  )

  it.scopedLive("to take the message is given up", () =>
    Effect.gen(function* () {
      const server = yield* serve({ onMessage: () => new Promise<void>(() => {}) })
      const mailer = yield* mailerFor(at(server.port), { timeouts: short })
      expect((yield* Effect.flip(mailer.send(ann))).reason).toBe("the mail server did not answer in time (ETIMEDOUT)")
    })
  )

  it.scopedLive("but never silent is given up too, and its connection closed", () =>
    Effect.gen(function* () {
      const server = yield* serveRaw((socket) => {
        socket.write("220 ready\r\n")
        const timer = setInterval(() => socket.write("250-still here\r\n"), 50)
        socket.on("close", () => clearInterval(timer))
        socket.resume()
      })
      const mailer = yield* mailerFor(at(server.port), { timeouts: { ...patient, delivery: "600 millis" } })
      expect((yield* Effect.flip(mailer.send(ann))).reason).toBe("the mail server took too long")
      yield* Effect.repeat(Effect.sleep("20 millis"), { until: () => server.sockets.size === 0 })
      expect(server.sockets.size).toBe(0)
    })
  )
})

describe("a server that dies", () => {
  it.scopedLive("in the middle of a message fails that message, and the next finds it back", () =>
    Effect.gen(function* () {
      const dying: Running = yield* serve({ onMessage: () => dying.crash() })
      const mailer = yield* mailerFor(at(dying.port))
      expect((yield* Effect.flip(mailer.send(ann))).reason).toMatch(/\((ECONNECTION|ESOCKET)/)
      yield* dying.stop
      const back = yield* serve({ port: dying.port })
      yield* mailer.send(ann)
      expect(back.received).toHaveLength(1)
    })
  )

  it.scopedLive("before it greets is tried a few times and given up", () =>
    Effect.gen(function* () {
      let tries = 0
      const server = yield* serveRaw((socket) => {
        tries++
        socket.destroy()
      })
      const mailer = yield* mailerFor(at(server.port))
      expect((yield* Effect.flip(mailer.send(ann))).reason).toMatch(/\((ECONNECTION|ESOCKET)/)
      expect(tries).toBeLessThanOrEqual(3)
    })
  )
})
