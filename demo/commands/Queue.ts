// The `queue` command: sends the letters that wait, tells about them, puts failed ones back.
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

  run mail          send the letters that wait, then wait for more (stop with Ctrl-C or SIGTERM)
  run mail --once   send the letters that are ready, then end
  list              count the ready, delayed and failed letters and name the failed ones
  retry             put the failed letters back
  --help            print this

Letters go where MAIL_HOST and its companions say; see docs/mail.md.`

const concurrency = 4

type Asked = Effect.Effect<number, never, MailQueue | Mailer>

/** What these words ask of a queue and its mailer; nothing when they are not known. */
export const asked = (words: Args, screen: Progress.Screen = Progress.standard): Asked | undefined => {
  const known: Readonly<Record<string, Effect.Effect<void, never, MailQueue | Mailer>>> = {
    "run mail": run("waits", screen),
    "run mail --once": run("ends", screen),
    list,
    retry
  }
  const spoken = words.join(" ")
  const found = Object.hasOwn(known, spoken) ? known[spoken] : undefined
  return found === undefined ? undefined : Effect.as(found, 0)
}

export const parse = (words: Args): Work | undefined => {
  const work = asked(words)
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

// An interruption reaches a child at once, long before the letters in hand let go of the runner.
const announceStop = Effect.onInterrupt(Effect.never, () => Console.log("stopping when the letters in hand are done"))

const list = Effect.gen(function* () {
  const mails = yield* MailQueue
  const { ready, delayed, held, failed } = yield* mails.counts
  yield* Console.log(`ready ${ready}`)
  yield* Console.log(held === 0 ? `delayed ${delayed}` : `delayed ${delayed} (${held} being sent)`)
  yield* Console.log(`failed ${failed}`)
  for (const letter of yield* mails.failures) {
    const since = new Date(letter.since).toISOString()
    yield* Console.log(`  ${letter.id}  ${since}  ${letter.attempts} attempts  ${letter.reason}`)
  }
})

const retry = Effect.gen(function* () {
  const count = yield* Effect.flatMap(MailQueue, (mails) => mails.retry)
  yield* Console.log(count === 1 ? "1 letter put back" : `${count} letters put back`)
})
