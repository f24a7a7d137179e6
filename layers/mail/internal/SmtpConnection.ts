// The connection to a mail server: its options, why it fails, and whether it would work.
import { Duration, Effect, Redacted } from "effect"
import type { SMTPPoolOptions } from "nodemailer"
import * as OptionalPackage from "../../../src/config/internal/OptionalPackage.ts"
import type { SmtpServer } from "../../../src/mail/MailConfig.ts"
import { MailDeliveryError } from "../../../src/mail/Mailer.ts"
import { smtpTimeouts } from "../../../src/mail/internal/SmtpDefaults.ts"

/** `idle` bounds the silence between two replies of the server, `delivery` the whole delivery. */
export interface Timeouts {
  readonly connection: Duration.DurationInput
  readonly greeting: Duration.DurationInput
  readonly idle: Duration.DurationInput
  readonly delivery: Duration.DurationInput
}

/** Loads nodemailer. */
export const load = OptionalPackage.load("E-mail by SMTP", "nodemailer", () => import("nodemailer"))

/** The options of a transport of nodemailer. */
export const poolOptions = (
  { host, port, security, credentials }: SmtpServer,
  timeouts: Timeouts
): SMTPPoolOptions => ({
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

/** A certificate authority in PEM that is trusted instead of the system's. */
export const tlsOptions = (authority: string | undefined) => ({
  tls: { minVersion: "TLSv1.2" as const, ...(authority !== undefined && { ca: authority }) }
})

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

/** Why an operation failed, without the server's own words. */
export const reasonOf = (error: unknown): string => {
  const code = String(field(error, "code") ?? "unknown")
  return `${reasons[code] ?? "the mail server could not be used"} (${detail(error, code)})`
}

/** Connects, secures the connection and signs in as a delivery would, and sends nothing. */
export const verify = (server: SmtpServer): Effect.Effect<void, MailDeliveryError | OptionalPackage.MissingPackage> =>
  Effect.gen(function* () {
    const { createTransport } = yield* load
    const { maxConnections: _connections, maxRequeues: _requeues, ...options } = poolOptions(server, smtpTimeouts)
    const transport = createTransport({ ...options, ...tlsOptions(undefined) })
    yield* Effect.tryPromise({
      try: () => transport.verify(),
      catch: (error) => new MailDeliveryError({ reason: reasonOf(error) })
    }).pipe(Effect.ensuring(Effect.sync(() => transport.close())))
  })
