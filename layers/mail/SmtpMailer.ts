// The SMTP lane: a pool of connections to one mail server, every wait bounded.
import { Clock, Duration, Effect, Layer, Option, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import type { SMTPPoolOptions } from "nodemailer"
import type { Sender } from "../../src/mail/MailMessage.ts"
import { direct, Mailer, MailDeliveryError } from "../../src/mail/Mailer.ts"
import { encode } from "../../src/mail/MimeEncoder.ts"
import { smtpTimeouts, type Server } from "../../src/mail/MailSettings.ts"
import * as OptionalPackage from "../../src/server/OptionalPackage.ts"

/** The mail server, who letters are from, and how long each step may take. */
export interface Options {
  readonly server: Server
  readonly sender: Sender
  /** A certificate authority to believe instead of the system's, in PEM: the mail server of one's own network. */
  readonly authority?: string
  readonly patience?: Partial<Patience>
}

type Patience = Record<keyof typeof smtpTimeouts, Duration.DurationInput>

const make = Effect.fnUntraced(function* (options: Options) {
  const { server, sender } = options
  const limits = { ...smtpTimeouts, ...options.patience }
  const { createTransport } = yield* Effect.orDie(
    OptionalPackage.load("E-mail by SMTP", "nodemailer", () => import("nodemailer"))
  )
  const open = () => createTransport({ pool: true, ...transport(server, limits), ...trust(options.authority) })
  let pool = open()
  yield* Effect.addFinalizer(() => Effect.sync(() => pool.close()))
  yield* warnOfOpenCredentials(server)

  // A server that trickles its answers wakes no other timer, and might still take a letter that we gave up. Its
  // other connections go as well: they lead to the same server.
  const abandon = Effect.sync(() => {
    pool.close({ force: true })
    pool = open()
  })

  return direct((letter, { id = randomUUID() } = {}) =>
    Effect.gen(function* () {
      const raw = encode(letter, { sender, id, date: yield* Clock.currentTimeMillis })
      const envelope = { from: sender.address, to: [letter.to] }
      const done = yield* Effect.tryPromise({
        try: () => pool.sendMail({ raw, envelope }),
        catch: (error) => new MailDeliveryError({ reason: reasonOf(error) })
      }).pipe(Effect.timeoutOption(limits.delivery))
      if (Option.isSome(done)) return
      yield* abandon
      return yield* new MailDeliveryError({ reason: "the mail server took too long" })
    })
  )
})

/** Letters through this server. */
export const layerWith = (options: Options): Layer.Layer<Mailer> => Layer.scoped(Mailer, make(options))

const transport = ({ host, port, security, credentials }: Server, limits: Patience): SMTPPoolOptions => ({
  host,
  port,
  secure: security === "tls",
  // Without it, whoever sits between could hide the server's offer and read the letters.
  requireTLS: security === "starttls",
  ignoreTLS: security === "none",
  ...(credentials && { auth: { user: credentials.username, pass: Redacted.value(credentials.password) } }),
  connectionTimeout: Duration.toMillis(limits.connection),
  dnsTimeout: Duration.toMillis(limits.connection),
  greetingTimeout: Duration.toMillis(limits.greeting),
  socketTimeout: Duration.toMillis(limits.silence),
  maxConnections: 5,
  maxRequeues: 2,
  disableFileAccess: true,
  disableUrlAccess: true
})

const trust = (authority: string | undefined) => ({
  tls: { minVersion: "TLSv1.2" as const, ...(authority !== undefined && { ca: authority }) }
})

const warnOfOpenCredentials = ({ host, security, credentials }: Server) =>
  security === "none" && credentials !== undefined && !/^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)
    ? Effect.logWarning("MAIL_SECURE is none: the mail password travels readable for everyone on the way")
    : Effect.void

// What failed, by the library's code. The server's own words are left out: they like to repeat the address.
const reasons: Readonly<Record<string, string>> = {
  EAUTH: "the mail server refused the credentials",
  ENOAUTH: "the mail server wants credentials",
  EENVELOPE: "the mail server refused the sender or the address",
  EMESSAGE: "the mail server refused the letter",
  ETLS: "the connection could not be secured",
  EDNS: "the mail server's name was not found",
  ETIMEDOUT: "the mail server did not answer in time",
  ECONNECTION: "the mail server ended the connection",
  ESOCKET: "the connection to the mail server failed"
}

const field = (error: unknown, name: string): unknown =>
  typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined

// What Node or the library says itself when no answer of the server is part of it: a refused port, a bad certificate.
const own = new Set(["ESOCKET", "EDNS", "ETLS"])

const detail = (error: unknown, code: string): string => {
  const status = field(error, "responseCode")
  if (typeof status === "number") return `${code} ${status}`
  const message = error instanceof Error && own.has(code) && !field(error, "response") ? error.message : ""
  const [line = ""] = message.split(/[\r\n]/)
  return line === "" ? code : `${code}: ${line.slice(0, 160)}`
}

const reasonOf = (error: unknown): string => {
  const code = String(field(error, "code") ?? "unknown")
  return `${reasons[code] ?? "the mail server could not be used"} (${detail(error, code)})`
}
