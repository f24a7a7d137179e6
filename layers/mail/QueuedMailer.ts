// The queue transport: a message is a row of the database until a worker sends it.
import { Effect, Layer } from "effect"
import { Mailer } from "../../src/mail/Mailer.ts"
import { MailQueue } from "../../src/mail/MailQueue.ts"

const make = Effect.map(MailQueue, (queue) =>
  Mailer.of({
    send: (message) => Effect.asVoid(queue.enqueue(message)),
    sendFrom: (make) => Effect.asVoid(queue.enqueueFrom(make))
  })
)

/** Stores messages in the mail queue. */
export const layer: Layer.Layer<Mailer, never, MailQueue> = Layer.effect(Mailer, make)
