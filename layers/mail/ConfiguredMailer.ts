// The lane that the environment chooses: files, SMTP or the queue.
import type { SqlClient } from "@effect/sql"
import { type ConfigError, Effect, Layer } from "effect"
import type { Mailer } from "../../src/mail/Mailer.ts"
import { config, Transport, type Settings } from "../../src/mail/MailSettings.ts"
import * as FileMailer from "./FileMailer.ts"
import * as QueuedMailer from "./QueuedMailer.ts"
import * as SmtpMailer from "./SmtpMailer.ts"
import * as SqlMailQueue from "./SqlMailQueue.ts"

const queued = QueuedMailer.layer.pipe(Layer.provide(SqlMailQueue.layer))

/** For a program that serves people: with `MAIL_QUEUE` its letters wait for the runner. */
export const layerWith = (settings: Settings): Layer.Layer<Mailer, never, SqlClient.SqlClient> =>
  settings.transport._tag === "Queue" ? queued : carrier(settings)

/** The same by the environment. */
export const layer: Layer.Layer<Mailer, ConfigError.ConfigError, SqlClient.SqlClient> = Layer.unwrapEffect(
  Effect.map(config, layerWith)
)

/** For the queue's runner: letters leave the machine, whatever `MAIL_QUEUE` says. */
export const layerTransport: Layer.Layer<Mailer, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(config, (settings) => carrier(settings))
)

const carrier = ({ sender, transport: lane }: Settings): Layer.Layer<Mailer> =>
  Transport.$match(lane, {
    File: ({ folder }) => FileMailer.layerWith({ folder, sender }),
    Smtp: ({ server }) => SmtpMailer.layerWith({ server, sender }),
    Queue: ({ server }) => SmtpMailer.layerWith({ server, sender })
  })
