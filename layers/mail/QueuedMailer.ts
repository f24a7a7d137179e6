// The queued lane: a letter is a row of the database until the queue's runner sends it.
import { Effect, Layer } from "effect"
import { Mailer } from "../../src/mail/Mailer.ts"
import { MailQueue } from "../../src/mail/MailQueue.ts"

const make = Effect.map(MailQueue, (queue) =>
  Mailer.of({
    send: (letter) => Effect.asVoid(queue.store(letter)),
    sendFrom: (make) => Effect.asVoid(queue.storeFrom(make))
  })
)

/** Letters into the mail queue. */
export const layer: Layer.Layer<Mailer, never, MailQueue> = Layer.effect(Mailer, make)
