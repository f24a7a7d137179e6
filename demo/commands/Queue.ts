// The `queue` command: sends queued messages, lists them and retries failed ones.
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

  run mail          send queued messages, then wait for more (stop with Ctrl-C or SIGTERM)
  run mail --once   send the messages that are ready, then exit
  list              count the ready, delayed and failed messages and list the failed ones
  retry             put the failed messages back
  --help            print this

The mail server is MAIL_HOST; see docs/mail.md for all MAIL_* settings.`

const concurrency = 4

type Program = Effect.Effect<number, never, MailQueue | Mailer>

/** The program for these arguments; `undefined` when they are not known. */
export const program = (args: Args, screen: Progress.Screen = Progress.standard): Program | undefined => {
  const known: Readonly<Record<string, Effect.Effect<void, never, MailQueue | Mailer>>> = {
    "run mail": run("waits", screen),
    "run mail --once": run("ends", screen),
    list,
    retry
  }
  const name = args.join(" ")
  const found = Object.hasOwn(known, name) ? known[name] : undefined
  return found === undefined ? undefined : Effect.as(found, 0)
}

export const parse = (args: Args): Work | undefined => {
  const work = program(args)
  if (work === undefined) return undefined
  const mail = Layer.merge(SqlMailQueue.layer, ConfiguredMailer.layerTransport)
  return ({ allowNewerSchema: allowNewer, database, statementTimeout }) =>
    Effect.zipRight(Migrations.run(undefined, { allowNewer }), Effect.provide(work, mail)).pipe(
      Effect.provide(Database.layer(database, { statementTimeout }))
    )
}

const run = (drained: "ends" | "waits", screen: Progress.Screen) =>
  Effect.gen(function* () {
    const mails = yield* MailQueue
    const sent = yield* Ref.make(0)
    const line = Effect.gen(function* () {
      const { ready, delayed, failed } = yield* mails.counts
      return `sent ${yield* sent}, ready ${ready}, delayed ${delayed}, failed ${failed}`
    }).pipe(Effect.catchAllDefect(() => Effect.map(sent, (count) => `sent ${count}, the queue cannot be read`)))
    const work = MailWorker.run({
      drained,
      concurrency,
      observe: (outcome) =>
        Effect.when(
          Ref.update(sent, (count) => count + 1),
          () => outcome === "Sent"
        )
    })
    if (drained === "waits") yield* Effect.fork(announceStop)
    yield* Progress.during(work, line, screen)
  })

// A child is interrupted at once, long before the worker has finished the messages that it is sending.
const announceStop = Effect.onInterrupt(Effect.never, () =>
  Console.log("stopping after the messages that are being sent")
)

const list = Effect.gen(function* () {
  const mails = yield* MailQueue
  const { ready, delayed, held, failed } = yield* mails.counts
  yield* Console.log(`ready ${ready}`)
  yield* Console.log(held === 0 ? `delayed ${delayed}` : `delayed ${delayed} (${held} being sent)`)
  yield* Console.log(`failed ${failed}`)
  for (const failure of yield* mails.failures) {
    const since = new Date(failure.since).toISOString()
    yield* Console.log(`  ${failure.id}  ${since}  ${failure.attempts} attempts  ${failure.reason}`)
  }
})

const retry = Effect.gen(function* () {
  const count = yield* Effect.flatMap(MailQueue, (mails) => mails.retry)
  yield* Console.log(count === 1 ? "1 message put back" : `${count} messages put back`)
})
