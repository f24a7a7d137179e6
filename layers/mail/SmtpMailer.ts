// The SMTP transport: a pool of connections to one mail server, with a timeout for every step.
import { Clock, Duration, Effect, Layer, Option, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import type { SMTPPoolOptions } from "nodemailer"
import type { Sender } from "../../src/mail/MailMessage.ts"
import { fromSend, Mailer, MailDeliveryError } from "../../src/mail/Mailer.ts"
import type { SmtpServer } from "../../src/mail/MailConfig.ts"
import { smtpTimeouts } from "../../src/mail/internal/SmtpDefaults.ts"
import * as OptionalPackage from "../../src/config/internal/OptionalPackage.ts"
import { compose } from "./internal/MimeMessage.ts"

/** The mail server, the sender, and the timeouts. */
export interface Options {
  readonly server: SmtpServer
  readonly sender: Sender
  /** A certificate authority in PEM that is trusted instead of the system's, for a mail server with a private one. */
  readonly certificateAuthority?: string
  readonly timeouts?: Partial<Timeouts>
}

/** `idle` bounds the silence between two replies of the server, `delivery` the whole delivery. */
export interface Timeouts {
  readonly connection: Duration.DurationInput
  readonly greeting: Duration.DurationInput
  readonly idle: Duration.DurationInput
  readonly delivery: Duration.DurationInput
}

const make = Effect.fnUntraced(function* (options: Options) {
  const { server, sender } = options
  const timeouts = { ...smtpTimeouts, ...options.timeouts }
  const { createTransport } = yield* Effect.orDie(
    OptionalPackage.load("E-mail by SMTP", "nodemailer", () => import("nodemailer"))
  )
  const open = () =>
    createTransport({ pool: true, ...poolOptions(server, timeouts), ...tlsOptions(options.certificateAuthority) })
  let pool = open()
  yield* Effect.addFinalizer(() => Effect.sync(() => pool.close()))
  yield* warnOfClearTextPassword(server)

  // A server that keeps sending slowly triggers no other timeout, and might still accept a message that we have given
  // up. All connections are closed, since they lead to the same server.
  const reset = Effect.sync(() => {
    pool.close({ force: true })
    pool = open()
  })

  return fromSend((message, { id = randomUUID() } = {}) =>
    Effect.gen(function* () {
      const date = yield* Clock.currentTimeMillis
      const raw = yield* compose(message, { sender, id, date })
      const envelope = { from: sender.address, to: [message.to] }
      const done = yield* Effect.tryPromise({
        try: () => pool.sendMail({ raw, envelope }),
        catch: (error) => new MailDeliveryError({ reason: reasonOf(error) })
      }).pipe(Effect.timeoutOption(timeouts.delivery))
      if (Option.isSome(done)) return
      yield* reset
      return yield* new MailDeliveryError({ reason: "the mail server took too long" })
    })
  )
})

/** Sends messages through this server. nodemailer is loaded when the layer is built. */
export const layerWith = (options: Options): Layer.Layer<Mailer> => Layer.scoped(Mailer, make(options))

const poolOptions = ({ host, port, security, credentials }: SmtpServer, timeouts: Timeouts): SMTPPoolOptions => ({
  host,
  port,
  secure: security === "tls",
  // Without it, an attacker on the network could hide the server's STARTTLS offer and read the messages.
  requireTLS: security === "starttls",
  ignoreTLS: security === "none",
  ...(credentials && { auth: { user: credentials.username, pass: Redacted.value(credentials.password) } }),
  connectionTimeout: Duration.toMillis(timeouts.connection),
  dnsTimeout: Duration.toMillis(timeouts.connection),
  greetingTimeout: Duration.toMillis(timeouts.greeting),
  socketTimeout: Duration.toMillis(timeouts.idle),
  maxConnections: 5,
  maxRequeues: 2,
  disableFileAccess: true,
  disableUrlAccess: true
})

const tlsOptions = (authority: string | undefined) => ({
  tls: { minVersion: "TLSv1.2" as const, ...(authority !== undefined && { ca: authority }) }
})

const warnOfClearTextPassword = ({ host, security, credentials }: SmtpServer) =>
  security === "none" && credentials !== undefined && !/^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)
    ? Effect.logWarning("MAIL_SECURE is none: the mail password is sent in clear text")
    : Effect.void

// The reason, by nodemailer's error code. The server's reply is left out: it often repeats the address.
const reasons: Readonly<Record<string, string>> = {
  EAUTH: "the mail server refused the credentials",
  ENOAUTH: "the mail server requires credentials",
  EENVELOPE: "the mail server refused the sender or the address",
  EMESSAGE: "the mail server refused the message",
  ETLS: "the connection could not be secured",
  EDNS: "the mail server's name was not found",
  ETIMEDOUT: "the mail server did not answer in time",
  ECONNECTION: "the mail server ended the connection",
  ESOCKET: "the connection to the mail server failed"
}

const field = (error: unknown, name: string): unknown =>
  typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined

// Codes whose text comes from Node or nodemailer and not from the server: a refused port, a bad certificate.
const localCodes = new Set(["ESOCKET", "EDNS", "ETLS"])

const detail = (error: unknown, code: string): string => {
  const status = field(error, "responseCode")
  if (typeof status === "number") return `${code} ${status}`
  const message = error instanceof Error && localCodes.has(code) && !field(error, "response") ? error.message : ""
  const [line = ""] = message.split(/[\r\n]/)
  return line === "" ? code : `${code}: ${line.slice(0, 160)}`
}

const reasonOf = (error: unknown): string => {
  const code = String(field(error, "code") ?? "unknown")
  return `${reasons[code] ?? "the mail server could not be used"} (${detail(error, code)})`
}
