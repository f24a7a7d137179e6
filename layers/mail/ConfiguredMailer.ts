// The transport that the environment selects: files, SMTP or the queue.
import type { SqlClient } from "@effect/sql"
import { type ConfigError, Effect, Layer } from "effect"
import type { Mailer } from "../../src/mail/Mailer.ts"
import type { MailConfig } from "../../src/mail/MailConfig.ts"
import * as Delivery from "../../src/mail/internal/Delivery.ts"
import { config } from "../../src/mail/internal/MailSettings.ts"
import * as Tables from "../database/Tables.ts"
import * as SqlJobs from "../jobs/SqlJobs.ts"
import * as FileMailer from "./FileMailer.ts"
import * as MailQueueCollector from "./internal/MailQueueCollector.ts"
import * as QueuedMailer from "./QueuedMailer.ts"
import * as SmtpMailer from "./SmtpMailer.ts"

/** Where the queue of e-mails is stored. */
export interface Options {
  /** The tables with the queue, when they are not those that the migrations create without options. */
  readonly tables?: Tables.Tables
}

const queued = ({ tables = Tables.defaults }: Options) =>
  Layer.merge(QueuedMailer.layer, MailQueueCollector.layer).pipe(Layer.provide(SqlJobs.layerWith({ tables })))

/**
 * For the program that serves requests. With `MAIL_QUEUE`, messages are stored for a worker.
 *
 * @example
 * ```ts
 * import { MailConfig, MailMessage } from "effect-framework/mail"
 * import { ConfiguredMailer } from "effect-framework/layers/mail"
 *
 * const sender = new MailMessage.Sender({
 *   name: MailMessage.Line.make("Teapots"),
 *   address: MailMessage.Address.make("no-reply@teapots.example.com")
 * })
 *
 * const server: MailConfig.SmtpServer = { host: "127.0.0.1", port: 25, security: "none", credentials: undefined }
 *
 * // A demonstration writes files; with `Transport.Queue({ delivery })` each message would be a row for a worker.
 * export const mailer = (isDemo: boolean) => {
 *   const { File, Smtp } = MailConfig.Transport
 *   return ConfiguredMailer.layerWith({ sender, transport: isDemo ? File({ folder: "storage/mail" }) : Smtp({ server }) })
 * }
 * ```
 */
export const layerWith = (
  settings: MailConfig,
  options: Options = {}
): Layer.Layer<Mailer, never, SqlClient.SqlClient> =>
  settings.transport._tag === "Queue" ? queued(options) : layerTransportWith(settings)

/** `layerWith` the settings from the environment. */
export const layer: Layer.Layer<Mailer, ConfigError.ConfigError, SqlClient.SqlClient> = Layer.unwrapEffect(
  Effect.map(config, (settings) => layerWith(settings))
)

/**
 * For the queue's worker: what delivers the messages, files or a mail server, also where the transport is the queue.
 *
 * @example
 * ```ts
 * import { Layer } from "effect"
 * import { MailConfig, type MailMessage } from "effect-framework/mail"
 * import { ConfiguredMailer, QueuedMailer } from "effect-framework/layers/mail"
 *
 * // Stores each message with what the request writes, and sends it from the same program: no variable is read.
 * export const mail = (sender: MailMessage.Sender, server: MailConfig.SmtpServer) => {
 *   const { Queue, Smtp } = MailConfig.Transport
 *   const settings = { sender, transport: Queue({ delivery: Smtp({ server }) }) }
 *   const sending = Layer.provide(QueuedMailer.handler(), ConfiguredMailer.layerTransportWith(settings))
 *   return { mailer: ConfiguredMailer.layerWith(settings), sending }
 * }
 * ```
 */
export const layerTransportWith = ({ sender, transport }: MailConfig): Layer.Layer<Mailer> => {
  const delivery = Delivery.of(transport)
  return delivery._tag === "File"
    ? FileMailer.layerWith({ folder: delivery.folder, sender })
    : SmtpMailer.layerWith({ server: delivery.server, sender })
}

/**
 * `layerTransportWith` the settings from the environment, regardless of `MAIL_QUEUE`.
 *
 * @example
 * ```ts
 * import { Layer } from "effect"
 * import { ConfiguredMailer, QueuedMailer } from "effect-framework/layers/mail"
 *
 * // Among the services of `App.run`: with `MAIL_QUEUE=1` its own processes send the queued messages, too.
 * export const sending = QueuedMailer.handler().pipe(Layer.provide(ConfiguredMailer.layerTransport))
 * ```
 */
export const layerTransport: Layer.Layer<Mailer, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(config, layerTransportWith)
)
