// How mail leaves, from the environment: `MAIL_HOST` chooses the lane, the rest describes it.
import { Config, ConfigError, Data, Duration, Either, Redacted } from "effect"
import * as Setting from "../server/Setting.ts"
import { storage } from "../server/ServerSettings.ts"
import { Address, Line, Sender, sender } from "./MailMessage.ts"

/** How a connection to the mail server is secured; `none` sends passwords in the clear. */
export const securities = ["starttls", "tls", "none"] as const

/** One of them. */
export type Security = (typeof securities)[number]

/** The port that mail servers answer on, by how the connection is secured. */
export const ports: Readonly<Record<Security, number>> = { starttls: 587, tls: 465, none: 25 }

/** How long a mail server may take, step by step and in all. A delivery stays well inside the queue's lease. */
export const smtpTimeouts = {
  connection: Duration.seconds(10),
  greeting: Duration.seconds(10),
  silence: Duration.seconds(15),
  delivery: Duration.seconds(30)
} as const

/** A mail server and how to speak with it. */
export interface Server {
  readonly host: string
  readonly port: number
  readonly security: Security
  readonly credentials: Credentials | undefined
}

/** Who signs in to the mail server. */
export interface Credentials {
  readonly username: string
  readonly password: Redacted.Redacted
}

/** How letters leave, with what that way needs. */
export type Transport = Data.TaggedEnum<{
  /** Files in a folder, for development. */
  File: { readonly folder: string }
  Smtp: { readonly server: Server }
  /** Stored in the database; the queue's runner hands them to the server. */
  Queue: { readonly server: Server }
}>

export const Transport = Data.taggedEnum<Transport>()

/** The sender and the lane. */
export interface Settings {
  readonly sender: Sender
  readonly transport: Transport
}

const host = Setting.of("MAIL_HOST", "", {
  expected: "a host name or an address",
  parse: (text) => (/^[A-Za-z0-9.:_-]{1,253}$/.test(text) ? text : undefined)
})

const nobody = new Sender({ name: Line.make(""), address: Address.make("no-reply@localhost") })

const from = Setting.of<Sender>("MAIL_FROM", nobody, {
  expected: "an address such as no-reply@example.com or Example <no-reply@example.com>",
  parse: sender
})

const port = Setting.integer("MAIL_PORT", 0, { min: 1, max: 65535 })

const credentials = Config.all({
  username: Setting.text("MAIL_USERNAME", ""),
  password: Setting.secret("MAIL_PASSWORD")
}).pipe(
  Config.mapOrFail(({ username, password }) => {
    const silent = Redacted.value(password) === ""
    if (username === "" && silent) return Either.right(undefined)
    if (username !== "" && !silent) return Either.right({ username, password })
    const [missing, given] = silent ? ["MAIL_PASSWORD", "MAIL_USERNAME"] : ["MAIL_USERNAME", "MAIL_PASSWORD"]
    return Either.left(ConfigError.MissingData([missing], `${missing} is empty, expected a text beside ${given}`))
  })
)

/** The lane is a file sink without `MAIL_HOST`, SMTP with it, the queue when `MAIL_QUEUE` is also set. */
export const config: Config.Config<Settings> = Config.all({
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
