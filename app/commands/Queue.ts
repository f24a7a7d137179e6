// The `queue` command: sends queued messages, runs jobs, lists them, and retries failed ones.
import { Args, Command, Options } from "@effect/cli"
import type { SqlClient } from "@effect/sql"
import { Console, Effect, Layer, Option, Ref } from "effect"
import * as Tables from "../../layers/database/Tables.ts"
import * as JobWorker from "../../layers/jobs/JobWorker.ts"
import * as SqlJobs from "../../layers/jobs/SqlJobs.ts"
import * as ConfiguredMailer from "../../layers/mail/ConfiguredMailer.ts"
import * as OldMailQueue from "../../layers/mail/internal/OldMailQueue.ts"
import * as QueuedMailer from "../../layers/mail/QueuedMailer.ts"
import * as OtlpTelemetry from "../../layers/observability/OtlpTelemetry.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import * as Handlers from "../../src/jobs/internal/Handlers.ts"
import { counts, MailJob } from "../../src/mail/internal/MailJob.ts"
import { Mailer } from "../../src/mail/Mailer.ts"
import type { Program } from "../Program.ts"
import * as JobCommands from "./JobCommands.ts"
import * as Progress from "./Progress.ts"
import { CommandFailed, type Failure, group, type RunOnTables, type RunWork } from "./Work.ts"

// A stop waits for the deliveries in progress, each of which ends in time.
const deliveries = { concurrency: 4, drain: MailJob.timeout }

/** Sends what is queued; then stops, or waits for more. */
export const send = (
  whenEmpty: "stop" | "wait",
  screen: Progress.Screen = Progress.standard,
  tables: Tables.Tables = Tables.defaults
) =>
  Effect.gen(function* () {
    const mailer = yield* Mailer
    const sent = yield* Ref.make(0)
    const line = Effect.gen(function* () {
      const { ready, delayed, failed } = yield* counts
      return `sent ${yield* sent}, ready ${ready}, delayed ${delayed}, failed ${failed}`
    }).pipe(Effect.catchAllDefect(() => Effect.map(sent, (count) => `sent ${count}, the queue cannot be read`)))
    const counted = Mailer.of({
      ...mailer,
      send: (message, options) =>
        Effect.zipLeft(
          mailer.send(message, options),
          Ref.update(sent, (count) => count + 1)
        )
    })
    // No other jobs, whatever handlers the program has.
    const handler = QueuedMailer.handler({ tables }).pipe(
      Layer.provide(Layer.succeed(Mailer, counted)),
      Layer.provideMerge(Handlers.layer)
    )
    const work = whenEmpty === "stop" ? JobWorker.untilIdle(deliveries) : Layer.launch(JobWorker.layer(deliveries))
    if (whenEmpty === "wait") yield* Effect.fork(announceStop)
    yield* Progress.during(Effect.provide(work, handler), line, screen)
    return 0
  })

// A child fiber is interrupted at once, before the deliveries in progress end.
const announceStop = Effect.onInterrupt(Effect.never, () =>
  Console.log("stopping when the deliveries in progress are done")
)

/** Prints the counts, and the failed messages without address or text; then the same of the jobs. */
export const list = Effect.gen(function* () {
  const jobs = yield* Jobs
  const { ready, delayed, leased, failed } = yield* counts
  yield* Console.log(`ready ${ready}`)
  yield* Console.log(leased === 0 ? `delayed ${delayed}` : `delayed ${delayed} (${leased} being sent)`)
  yield* Console.log(`failed ${failed}`)
  for (const { attempts, endedAt = 0, id, reason } of yield* jobs.list({ state: "failed", queue: MailJob.queue })) {
    yield* Console.log(`  ${id}  ${new Date(endedAt).toISOString()}  ${attempts} attempts  ${reason}`)
  }
  yield* JobCommands.list
  return 0
})

/** Makes the failed messages and jobs ready again, or one job. */
export const retry = (id: Option.Option<string>) =>
  Effect.gen(function* () {
    if (Option.isSome(id)) return yield* JobCommands.retry(id.value)
    const count = yield* Effect.flatMap(Jobs, ({ retryFailed }) => retryFailed(MailJob.queue))
    yield* Console.log(count === 1 ? "1 message is ready again" : `${count} messages are ready again`)
    yield* JobCommands.retryAll
    return 0
  })

type Work = Effect.Effect<
  number,
  never,
  Mailer | Layer.Layer.Success<ReturnType<typeof SqlJobs.layerWith>> | SqlClient.SqlClient
>

const queueArgument = Args.choice(
  [
    ["mail", "mail"],
    ["jobs", "jobs"]
  ] as const,
  { name: "queue" }
)

const once = Options.boolean("once").pipe(Options.withDescription("send the messages that are ready, then exit"))

// A program's worker is a layer, which only a stop ends.
const notOnce = "queue run jobs runs until it is stopped: --once is an option of queue run mail"

const concurrency = Options.integer("concurrency").pipe(
  Options.filterMap(
    Option.liftPredicate((value) => value >= 1),
    "--concurrency must be at least 1"
  ),
  Options.withDefault(10),
  Options.withDescription("how many jobs run at once")
)

const idArgument = Args.text({ name: "id" })

const nameArgument = Args.text({ name: "name" })

/** `queue run mail|jobs`, `list`, `show`, `retry`, `cancel`, `pause` and `resume`. */
export const command = <E, E3>(run: RunWork, onTables: RunOnTables<E3>, app: Effect.Effect<Program<E>>) => {
  const onStores = (work: (tables: Tables.Tables) => Work) =>
    onTables(({ mail, telemetry }, tables) => {
      const stores = Layer.merge(SqlJobs.layerWith({ tables }), ConfiguredMailer.layerTransportWith(mail))
      return Effect.zipRight(OldMailQueue.move(tables), Effect.provide(work(tables), stores)).pipe(
        Effect.provide(OtlpTelemetry.layer(telemetry))
      )
    })
  const onQueue = (work: Work) => onStores(() => work)
  const described = (text: string) => Command.withDescription(text)
  return group("queue", "run, list and retry queued e-mails and jobs; the MAIL_* variables select the transport", [
    Command.make(
      "run",
      { queue: queueArgument, once, concurrency },
      ({ concurrency, once, queue }): Effect.Effect<void, E | E3 | Failure> =>
        queue === "mail"
          ? onStores((tables) => send(once ? "stop" : "wait", Progress.standard, tables))
          : once
            ? Effect.zipRight(Console.error(notOnce), new CommandFailed({ status: 2 }))
            : JobCommands.run(run, app, concurrency)
    ).pipe(described("send the queued messages, or run the jobs, then wait for more (stop with Ctrl-C or SIGTERM)")),
    Command.make("list", {}, () => onQueue(list)).pipe(
      described("count the messages and jobs by state and list the failed ones")
    ),
    Command.make("show", { id: idArgument }, ({ id }) => onQueue(JobCommands.show(id))).pipe(
      described("show one job, without its payload")
    ),
    Command.make("retry", { id: Args.optional(idArgument) }, ({ id }) => onQueue(retry(id))).pipe(
      described("make the failed messages and jobs ready again, or one job")
    ),
    Command.make("cancel", { id: idArgument }, ({ id }) => onQueue(JobCommands.cancel(id))).pipe(
      described("end a job that has not started")
    ),
    Command.make("pause", { name: nameArgument }, ({ name }) => onQueue(JobCommands.pause(name))).pipe(
      described("start no job of this queue in any process; what runs goes on")
    ),
    Command.make("resume", { name: nameArgument }, ({ name }) => onQueue(JobCommands.resume(name))).pipe(
      described("start the jobs of this queue again")
    )
  ])
}
