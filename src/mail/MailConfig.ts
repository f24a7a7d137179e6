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
