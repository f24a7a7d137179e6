// The `queue` command: sends queued messages, lists them, and retries failed ones.
import { Args, Command, Options } from "@effect/cli"
import { Console, Effect, Layer, Ref } from "effect"
import * as Migrations from "../../layers/database/Migrations.ts"
import * as Tables from "../../layers/database/Tables.ts"
import * as ConfiguredMailer from "../../layers/mail/ConfiguredMailer.ts"
import * as SqlMailQueue from "../../layers/mail/SqlMailQueue.ts"
import * as OtlpTelemetry from "../../layers/observability/OtlpTelemetry.ts"
import * as MailWorker from "../../src/mail/MailWorker.ts"
import type { Mailer } from "../../src/mail/Mailer.ts"
import { MailQueue } from "../../src/mail/MailQueue.ts"
import type { Program } from "../Program.ts"
import * as Progress from "./Progress.ts"
import { group, type RunOnDatabase } from "./Work.ts"

const concurrency = 4

/** Sends what is queued; then stops, or waits for more. */
export const send = (whenEmpty: "stop" | "wait", screen: Progress.Screen = Progress.standard) =>
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
    return 0
  })

// A child fiber is interrupted at once, before the deliveries in progress end.
const announceStop = Effect.onInterrupt(Effect.never, () =>
  Console.log("stopping when the deliveries in progress are done")
)

/** Prints the counts, and the failed messages without address or text. */
export const list = Effect.gen(function* () {
  const mails = yield* MailQueue
  const { ready, delayed, leased, failed } = yield* mails.counts
  yield* Console.log(`ready ${ready}`)
  yield* Console.log(leased === 0 ? `delayed ${delayed}` : `delayed ${delayed} (${leased} being sent)`)
  yield* Console.log(`failed ${failed}`)
  for (const message of yield* mails.failures) {
    const since = new Date(message.failedAt).toISOString()
    yield* Console.log(`  ${message.id}  ${since}  ${message.attempts} attempts  ${message.reason}`)
  }
  return 0
})

/** Makes the failed messages ready again. */
export const retry = Effect.gen(function* () {
  const count = yield* Effect.flatMap(MailQueue, (mails) => mails.retryFailed)
  yield* Console.log(count === 1 ? "1 message is ready again" : `${count} messages are ready again`)
  return 0
})

const mail = (tables: Tables.Tables) => Layer.merge(SqlMailQueue.layerWith({ tables }), ConfiguredMailer.layerTransport)

const mailArgument = Args.choice([["mail", "mail"]], { name: "queue" })

const once = Options.boolean("once").pipe(Options.withDescription("send the messages that are ready, then exit"))

/** `queue run mail [--once]`, `queue list` and `queue retry`. */
export const command = <E, E3>(run: RunOnDatabase<E3>, app: Effect.Effect<Program<E>>) => {
  const onQueue = (work: Effect.Effect<number, never, MailQueue | Mailer>) =>
    run(({ allowNewerSchema: allowNewer, telemetry }) =>
      Effect.flatMap(app, ({ tables = Tables.defaults }) =>
        Effect.zipRight(Migrations.run(undefined, { allowNewer, tables }), Effect.provide(work, mail(tables)))
      ).pipe(Effect.provide(OtlpTelemetry.layer(telemetry)))
    )
  return group("queue", "send, list and retry queued e-mails; the MAIL_* variables select the transport", [
    Command.make("run", { mailArgument, once }, ({ once }) => onQueue(send(once ? "stop" : "wait"))).pipe(
      Command.withDescription("send the queued messages, then wait for more (stop with Ctrl-C or SIGTERM)")
    ),
    Command.make("list", {}, () => onQueue(list)).pipe(
      Command.withDescription("count the ready, delayed and failed messages and list the failed ones")
    ),
    Command.make("retry", {}, () => onQueue(retry)).pipe(
      Command.withDescription("make the failed messages ready again")
    )
  ])
}
