// Defaults of an SMTP connection: security modes, ports, timeouts.
import { Duration } from "effect"

export const securities = ["starttls", "tls", "none"] as const

/** The usual port of a mail server, by security mode. */
export const ports = { starttls: 587, tls: 465, none: 25 } as const

/** Timeouts of each step and of the whole delivery, which stays well below the queue's lease. */
export const smtpTimeouts = {
  connection: Duration.seconds(10),
  greeting: Duration.seconds(10),
  idle: Duration.seconds(15),
  delivery: Duration.seconds(30)
} as const

/** The sender without `MAIL_FROM`: right on one machine, refused by mail servers. */
export const defaultAddress = "no-reply@localhost"
