// The queue transport: a message is a job in the database until a worker sends it.
import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer } from "effect"
import * as Job from "../../src/jobs/Job.ts"
import * as Jobs from "../../src/jobs/Jobs.ts"
import { MailJob, handler as mailHandler } from "../../src/mail/internal/MailJob.ts"
import { Mailer } from "../../src/mail/Mailer.ts"
import type { MailMessage } from "../../src/mail/MailMessage.ts"
import * as Tables from "../database/Tables.ts"
import * as Transaction from "../database/internal/Transaction.ts"
import * as OldMailQueue from "./internal/OldMailQueue.ts"

const make = Effect.gen(function* () {
  const transaction = Transaction.make(yield* SqlClient.SqlClient)
  const handled = yield* Layer.build(Job.layerElsewhere(MailJob))
  const services = Context.add(handled, Jobs.Jobs, yield* Jobs.Jobs)
  const store = (message: MailMessage) => Effect.asVoid(Effect.provide(Jobs.enqueue(MailJob, message), services))
  return Mailer.of({ send: store, sendFrom: (make) => transaction(Effect.flatMap(make, store)) })
})

/** Stores messages as jobs of the queue `mail`, in the transaction of the caller. */
export const layer: Layer.Layer<Mailer, never, Jobs.Jobs | SqlClient.SqlClient> = Layer.scoped(Mailer, make)

/** The tables, when they are not those that the migrations create without options. */
export interface Options {
  readonly tables?: Tables.Tables
}

/**
 * Sends queued messages: the handler for a `JobWorker`. `queue run mail` has it; a program that sends them itself adds
 * `QueuedMailer.handler().pipe(Layer.provide(ConfiguredMailer.layerTransport))` to its services.
 */
export const handler = ({ tables = Tables.defaults }: Options = {}) =>
  Layer.merge(mailHandler, OldMailQueue.layer(tables))
