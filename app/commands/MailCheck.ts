// What `doctor` says of e-mails: whether they leave the machine, and whether the mail server would take them.
import { Effect } from "effect"
import * as SmtpConnection from "../../layers/mail/internal/SmtpConnection.ts"
import type { AppConfig } from "../../layers/server/AppConfig.ts"
import * as Delivery from "../../src/mail/internal/Delivery.ts"
import { defaultAddress } from "../../src/mail/internal/SmtpDefaults.ts"
import { failed, type Finding, fix, hint, ok } from "./Findings.ts"

/** Greets the mail server, with TLS and the credentials of the settings; sends nothing. */
export const mail = ({ environment, mail: { sender, transport } }: AppConfig): Effect.Effect<Finding> => {
  const delivery = Delivery.of(transport)
  return Effect.gen(function* () {
    if (delivery._tag === "File") {
      const said = `files in ${delivery.folder}`
      return environment === "production"
        ? fix("mail", `${said}: set MAIL_HOST and MAIL_FROM, so that they are sent`)
        : ok("mail", said)
    }
    const { credentials, host, port, security } = delivery.server
    yield* SmtpConnection.verify(delivery.server)
    if (sender.address === defaultAddress) return fix("mail", `the sender is ${defaultAddress}: set MAIL_FROM`)
    const greeted = `${host}:${port} responds (${security}${credentials === undefined ? "" : ", signed in"})`
    return transport._tag === "Queue"
      ? hint("mail", `${greeted}; queued e-mails are sent by the command queue run mail`)
      : ok("mail", greeted)
  }).pipe(
    Effect.catchTags({
      MissingPackage: (error) => Effect.succeed(failed("mail", error)),
      MailDeliveryError: ({ reason }) => {
        const at = delivery._tag === "File" ? "" : `${delivery.server.host}:${delivery.server.port}`
        const names = "MAIL_HOST, MAIL_PORT, MAIL_SECURE, MAIL_USERNAME and MAIL_PASSWORD"
        return Effect.succeed(fix("mail", `${at}: ${reason}. Check ${names}`))
      }
    })
  )
}
