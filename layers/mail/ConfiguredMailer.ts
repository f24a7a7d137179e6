// The transport that the environment selects: files, SMTP or the queue.
import type { SqlClient } from "@effect/sql"
import { type ConfigError, Effect, Layer } from "effect"
import type { Mailer } from "../../src/mail/Mailer.ts"
import { config, Transport, type Settings } from "../../src/mail/MailSettings.ts"
import * as FileMailer from "./FileMailer.ts"
import * as QueuedMailer from "./QueuedMailer.ts"
import * as SmtpMailer from "./SmtpMailer.ts"
import * as SqlMailQueue from "./SqlMailQueue.ts"

const queued = QueuedMailer.layer.pipe(Layer.provide(SqlMailQueue.layer))

/** For the program that serves requests. With `MAIL_QUEUE`, messages are stored for a worker. */
export const layerWith = (settings: Settings): Layer.Layer<Mailer, never, SqlClient.SqlClient> =>
  settings.transport._tag === "Queue" ? queued : transportLayer(settings)

/** `layerWith` the settings from the environment. */
export const layer: Layer.Layer<Mailer, ConfigError.ConfigError, SqlClient.SqlClient> = Layer.unwrapEffect(
  Effect.map(config, layerWith)
)

/** For the queue's worker: files or SMTP, regardless of `MAIL_QUEUE`. */
export const layerTransport: Layer.Layer<Mailer, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(config, (settings) => transportLayer(settings))
)

const transportLayer = ({ sender, transport }: Settings): Layer.Layer<Mailer> =>
  Transport.$match(transport, {
    File: ({ folder }) => FileMailer.layerWith({ folder, sender }),
    Smtp: ({ server }) => SmtpMailer.layerWith({ server, sender }),
    Queue: ({ server }) => SmtpMailer.layerWith({ server, sender })
  })
