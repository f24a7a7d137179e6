// Mail settings from the environment: `MAIL_HOST` selects the transport, the other variables configure it.
import { Config, ConfigError, Either, Redacted, Schema } from "effect"
import * as Setting from "../../config/internal/Setting.ts"
import { storage } from "../../config/internal/ServerConfig.ts"
import { type MailConfig, Transport } from "../MailConfig.ts"
import { Address, Line, parseAddress, Sender } from "../MailMessage.ts"
import { defaultAddress, ports, securities } from "./SmtpDefaults.ts"

/** Parses `no-reply@example.com` or `Example <no-reply@example.com>`. */
export const parseSender = (text: string): Sender | undefined => {
  const match = /^([^<>]*)<([^<>]+)>$/.exec(text)
  const found = parseAddress((match?.[2] ?? text).trim())
  const name = (match?.[1] ?? "").trimEnd().replace(/^"(.*)"$/, "$1")
  return Either.isRight(found) && Schema.is(Line)(name) ? new Sender({ name, address: found.right }) : undefined
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
    const delivery = Transport.Smtp({
      server: { host, port: port === 0 ? ports[security] : port, security, credentials }
    })
    return { sender, transport: queue ? Transport.Queue({ delivery }) : delivery }
  })
)
