// The `queue` command: sends queued messages, lists them, and retries failed ones.
import { Console, Effect, Layer, Ref } from "effect"
import * as Database from "../../layers/database/Database.ts"
import * as Migrations from "../../layers/database/Migrations.ts"
import * as ConfiguredMailer from "../../layers/mail/ConfiguredMailer.ts"
import * as SqlMailQueue from "../../layers/mail/SqlMailQueue.ts"
import * as MailWorker from "../../src/mail/MailWorker.ts"
import type { Mailer } from "../../src/mail/Mailer.ts"
import { MailQueue } from "../../src/mail/MailQueue.ts"
import * as Progress from "./Progress.ts"
import type { Work, Args } from "./Command.ts"

export const usage = `Usage: queue COMMAND

  run mail          send the queued messages, then wait for more (stop with Ctrl-C or SIGTERM)
  run mail --once   send the messages that are ready, then exit
  list              count the ready, delayed and failed messages and list the failed ones
  retry             make the failed messages ready again
  --help            print this

The MAIL_* variables select the transport; see docs/mail.md.`

const concurrency = 4

type QueueWork = Effect.Effect<number, never, MailQueue | Mailer>

/** The work that these arguments name, on a queue and a mailer; `undefined` when they are unknown. */
export const commandFor = (args: Args, screen: Progress.Screen = Progress.standard): QueueWork | undefined => {
  const known: Readonly<Record<string, Effect.Effect<void, never, MailQueue | Mailer>>> = {
    "run mail": run("wait", screen),
    "run mail --once": run("stop", screen),
    list,
    retry
  }
  const name = args.join(" ")
  const found = Object.hasOwn(known, name) ? known[name] : undefined
  return found === undefined ? undefined : Effect.as(found, 0)
}

export const parse = (args: Args): Work | undefined => {
  const work = commandFor(args)
  if (work === undefined) return undefined
  const mail = Layer.merge(SqlMailQueue.layer, ConfiguredMailer.layerTransport)
  return ({ allowNewerSchema: allowNewer, database, statementTimeout }) =>
    Effect.zipRight(Migrations.run(undefined, { allowNewer }), Effect.provide(work, mail)).pipe(
      Effect.provide(Database.layer(database, { statementTimeout }))
    )
}

const run = (whenEmpty: "stop" | "wait", screen: Progress.Screen) =>
  Effect.gen(function* () {
    const mails = yield* MailQueue
    const sent = yield* Ref.make(0)
    const line = Effect.gen(function* () {
      const { ready, delayed, failed } = yield* mails.counts
      return `sent ${yield* sent}, ready ${ready}, delayed ${delayed}, failed ${failed}`
    }).pipe(Effect.catchAllDefect(() => Effect.map(sent, (count) => `sent ${count}, the queue cannot be read`)))
    const work = MailWorker.run({
      whenEmpty,
      concurrency,
      onOutcome: (outcome) =>
        Effect.when(
          Ref.update(sent, (count) => count + 1),
          () => outcome === "Sent"
        )
    })
    if (whenEmpty === "wait") yield* Effect.fork(announceStop)
    yield* Progress.during(work, line, screen)
  })

// A child fiber is interrupted at once, before the deliveries in progress end.
const announceStop = Effect.onInterrupt(Effect.never, () =>
  Console.log("stopping when the deliveries in progress are done")
)

const list = Effect.gen(function* () {
  const mails = yield* MailQueue
  const { ready, delayed, leased, failed } = yield* mails.counts
  yield* Console.log(`ready ${ready}`)
  yield* Console.log(leased === 0 ? `delayed ${delayed}` : `delayed ${delayed} (${leased} being sent)`)
  yield* Console.log(`failed ${failed}`)
  for (const message of yield* mails.failures) {
    const since = new Date(message.failedAt).toISOString()
    yield* Console.log(`  ${message.id}  ${since}  ${message.attempts} attempts  ${message.reason}`)
  }
})

const retry = Effect.gen(function* () {
  const count = yield* Effect.flatMap(MailQueue, (mails) => mails.retryFailed)
  yield* Console.log(count === 1 ? "1 message is ready again" : `${count} messages are ready again`)
})
