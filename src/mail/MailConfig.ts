// How messages are sent, and by whom.
import { Data, type Redacted } from "effect"
import type { Sender } from "./MailMessage.ts"

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

/** What delivers a message: a folder or a mail server. */
export type Delivery = Data.TaggedEnum<{
  /** Writes files to a folder, for development. */
  File: { readonly folder: string }
  Smtp: { readonly server: SmtpServer }
}>

/** How messages are sent: at once, or stored in the database for a worker that delivers them. */
export type Transport = Delivery | Data.TaggedEnum<{ Queue: { readonly delivery: Delivery } }>

/** Constructors and matchers of `Transport`. */
export const Transport = Data.taggedEnum<Transport>()

/** The sender and the transport. */
export interface MailConfig {
  readonly sender: Sender
  readonly transport: Transport
}
