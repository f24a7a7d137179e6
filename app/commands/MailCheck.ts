// What `doctor` says of e-mails: whether they leave the machine, and whether the mail server would take them.
import { Effect } from "effect"
import * as SmtpConnection from "../../layers/mail/internal/SmtpConnection.ts"
import type { AppConfig } from "../../layers/server/AppConfig.ts"
import { defaultAddress } from "../../src/mail/internal/SmtpDefaults.ts"
import { failed, type Finding, fix, hint, ok } from "./Findings.ts"

/** Greets the mail server, with TLS and the credentials of the settings; sends nothing. */
export const mail = ({ environment, mail: { sender, transport } }: AppConfig): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    if (transport._tag === "File") {
      const said = `files in ${transport.folder}`
      return environment === "production"
        ? fix("mail", `${said}: set MAIL_HOST and MAIL_FROM, so that they are sent`)
        : ok("mail", said)
    }
    const { credentials, host, port, security } = transport.server
    yield* SmtpConnection.verify(transport.server)
    if (sender.address === defaultAddress) return fix("mail", `the sender is ${defaultAddress}: set MAIL_FROM`)
    const greeted = `${host}:${port} responds (${security}${credentials === undefined ? "" : ", signed in"})`
    return transport._tag === "Queue"
      ? hint("mail", `${greeted}; queued e-mails are sent by the command queue run mail`)
      : ok("mail", greeted)
  }).pipe(
    Effect.catchTags({
      MissingPackage: (error) => Effect.succeed(failed("mail", error)),
      MailDeliveryError: ({ reason }) => {
        const at = transport._tag === "File" ? "" : `${transport.server.host}:${transport.server.port}`
        const names = "MAIL_HOST, MAIL_PORT, MAIL_SECURE, MAIL_USERNAME and MAIL_PASSWORD"
        return Effect.succeed(fix("mail", `${at}: ${reason}. Check ${names}`))
      }
    })
  )
