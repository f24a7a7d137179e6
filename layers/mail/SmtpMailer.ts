// The SMTP transport: a pool of connections to one mail server, with a timeout for every step.
import { Clock, Effect, Layer, Option } from "effect"
import { randomUUID } from "node:crypto"
import type { Sender } from "../../src/mail/MailMessage.ts"
import { fromSend, Mailer, MailDeliveryError } from "../../src/mail/Mailer.ts"
import type { SmtpServer } from "../../src/mail/MailConfig.ts"
import { smtpTimeouts } from "../../src/mail/internal/SmtpDefaults.ts"
import { compose } from "./internal/MimeMessage.ts"
import { load, poolOptions, reasonOf, type Timeouts, tlsOptions } from "./internal/SmtpConnection.ts"

export type { Timeouts } from "./internal/SmtpConnection.ts"

/** The mail server, the sender, and the timeouts. */
export interface Options {
  readonly server: SmtpServer
  readonly sender: Sender
  /** A certificate authority in PEM that is trusted instead of the system's, for a mail server with a private one. */
  readonly certificateAuthority?: string
  readonly timeouts?: Partial<Timeouts>
}

const make = Effect.fnUntraced(function* (options: Options) {
  const { server, sender } = options
  const timeouts = { ...smtpTimeouts, ...options.timeouts }
  const { createTransport } = yield* Effect.orDie(load)
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

/**
 * Sends messages through this server. nodemailer is loaded when the layer is built.
 *
 * @example
 * ```ts
 * import { Config, Effect, Layer } from "effect"
 * import { type MailConfig, MailMessage } from "effect-framework/mail"
 * import { SmtpMailer } from "effect-framework/layers/mail"
 *
 * const sender = new MailMessage.Sender({
 *   name: MailMessage.Line.make("News of Teapots"),
 *   address: MailMessage.Address.make("news@teapots.example.com")
 * })
 *
 * // A mail server for the newsletter alone, besides the one of `MAIL_HOST`.
 * export const newsletter = Layer.unwrapEffect(
 *   Effect.map(Config.redacted("NEWSLETTER_PASSWORD"), (password) => {
 *     const credentials = { username: "teapots", password }
 *     const server: MailConfig.SmtpServer = { host: "news.example.com", port: 587, security: "starttls", credentials }
 *     return SmtpMailer.layerWith({ server, sender, timeouts: { delivery: "1 minute" } })
 *   })
 * )
 * ```
 */
export const layerWith = (options: Options): Layer.Layer<Mailer> => Layer.scoped(Mailer, make(options))

const warnOfClearTextPassword = ({ host, security, credentials }: SmtpServer) =>
  security === "none" && credentials !== undefined && !/^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)
    ? Effect.logWarning("MAIL_SECURE is none: the mail password is sent in clear text")
    : Effect.void
