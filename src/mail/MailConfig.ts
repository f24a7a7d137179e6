// Mail settings from the environment: `MAIL_HOST` selects the transport, the other variables configure it.
import { Config, ConfigError, Data, Either, Redacted } from "effect"
import * as Setting from "../config/internal/Setting.ts"
import { storage } from "../config/internal/ServerConfig.ts"
import { Address, Line, Sender, parseSender } from "./MailMessage.ts"
import { defaultAddress, ports, securities } from "./internal/SmtpDefaults.ts"

/** How the connection to the mail server is secured; `none` sends the password in clear text. */
type Security = "starttls" | "tls" | "none"

/** A mail server and how to connect to it. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  readonly security: Security
  readonly credentials: SmtpCredentials | undefined
}

/** The account at the mail server. */
export interface SmtpCredentials {
  readonly username: string
  readonly password: Redacted.Redacted
}

/** How messages are sent. */
export type Transport = Data.TaggedEnum<{
  /** Writes files to a folder, for development. */
  File: { readonly folder: string }
  Smtp: { readonly server: SmtpServer }
  /** Stores messages in the database; a worker sends them to the server. */
  Queue: { readonly server: SmtpServer }
}>

/** Constructors and matchers of `Transport`. */
export const Transport = Data.taggedEnum<Transport>()

/** The sender and the transport. */
export interface MailConfig {
  readonly sender: Sender
  readonly transport: Transport
}

const host = Setting.of("MAIL_HOST", "", {
  expected: "a host name or an address",
  parse: (text) => (/^[A-Za-z0-9.:_-]{1,253}$/.test(text) ? text : undefined)
})

const defaultSender = new Sender({ name: Line.make(""), address: Address.make(defaultAddress) })

const from = Setting.of<Sender>("MAIL_FROM", defaultSender, {
  expected: "an address such as no-reply@example.com or Example <no-reply@example.com>",
  parse: parseSender
})

const port = Setting.integer("MAIL_PORT", 0, { min: 1, max: 65535 })

const credentials = Config.all({
  username: Setting.text("MAIL_USERNAME", ""),
  password: Setting.secret("MAIL_PASSWORD")
}).pipe(
  Config.mapOrFail(({ username, password }) => {
    const noPassword = Redacted.value(password) === ""
    if (username === "" && noPassword) return Either.right(undefined)
    if (username !== "" && !noPassword) return Either.right({ username, password })
    const [missing, given] = noPassword ? ["MAIL_PASSWORD", "MAIL_USERNAME"] : ["MAIL_USERNAME", "MAIL_PASSWORD"]
    return Either.left(ConfigError.MissingData([missing], `${missing} is empty, expected a text beside ${given}`))
  })
)

/** Files without `MAIL_HOST`, SMTP with it, the queue when `MAIL_QUEUE` is set as well. */
export const config: Config.Config<MailConfig> = Config.all({
  sender: from,
  storage,
  host,
  port,
  security: Setting.choice("MAIL_SECURE", "starttls", securities),
  credentials,
  queue: Setting.flag("MAIL_QUEUE", false)
}).pipe(
  Config.map(({ sender, storage, host, port, security, credentials, queue }) => {
    if (host === "") return { sender, transport: Transport.File({ folder: `${storage}/mails` }) }
    const server = { host, port: port === 0 ? ports[security] : port, security, credentials }
    return { sender, transport: queue ? Transport.Queue({ server }) : Transport.Smtp({ server }) }
  })
)
