// The transport that the environment selects: files, SMTP or the queue.
import type { SqlClient } from "@effect/sql"
import { type ConfigError, Effect, Layer } from "effect"
import type { Mailer } from "../../src/mail/Mailer.ts"
import { Transport, type MailConfig } from "../../src/mail/MailConfig.ts"
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

/** For the program that serves requests. With `MAIL_QUEUE`, messages are stored for a worker. */
export const layerWith = (
  settings: MailConfig,
  options: Options = {}
): Layer.Layer<Mailer, never, SqlClient.SqlClient> =>
  settings.transport._tag === "Queue" ? queued(options) : transportLayer(settings)

/** `layerWith` the settings from the environment. */
export const layer: Layer.Layer<Mailer, ConfigError.ConfigError, SqlClient.SqlClient> = Layer.unwrapEffect(
  Effect.map(config, (settings) => layerWith(settings))
)

/** For the queue's worker: files or SMTP, regardless of `MAIL_QUEUE`. */
export const layerTransport: Layer.Layer<Mailer, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(config, (settings) => transportLayer(settings))
)

const transportLayer = ({ sender, transport }: MailConfig): Layer.Layer<Mailer> =>
  Transport.$match(transport, {
    File: ({ folder }) => FileMailer.layerWith({ folder, sender }),
    Smtp: ({ server }) => SmtpMailer.layerWith({ server, sender }),
    Queue: ({ server }) => SmtpMailer.layerWith({ server, sender })
  })
