import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import * as MailQueueCollector from "../../../layers/mail/internal/MailQueueCollector.ts"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import * as QueuedMailer from "../../../layers/mail/QueuedMailer.ts"
import * as WorkerObservability from "../../../layers/observability/WorkerObservability.ts"
import { JobStore } from "../../../src/jobs/internal/JobStore.ts"
import { Mailer } from "../../../src/mail/Mailer.ts"
import { Observability } from "../../../src/observability/Observability.ts"
import * as Prometheus from "../../../src/observability/Prometheus.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { messageTo } from "../../support/Messages.ts"

const samples = (snapshot: Snapshot.Snapshot) =>
  Prometheus.exporter
    .export(snapshot)
    .split("\n")
    .filter((line) => line.startsWith("mail_queue"))

const snapshot = Effect.flatMap(Observability, ({ gather }) => gather)

const collected = Layer.merge(QueuedMailer.layer, MailQueueCollector.layer).pipe(
  Layer.provideMerge(SqlJobs.layer),
  Layer.provideMerge(WorkerObservability.layerWith({ collectors: false }))
)

describeDatabases("The metrics of the mail queue", (database) => {
  layer(collected.pipe(Layer.provideMerge(database.layer)))((it) => {
    it.effect("are the messages by state and the age of the oldest ready one, once for all workers", () =>
      Effect.gen(function* () {
        const queue = yield* Mailer
        const { claim } = yield* JobStore
        const sql = yield* SqlClient.SqlClient
        expect(samples(yield* snapshot)).toEqual([
          'mail_queue_messages{state="delayed"} 0',
          'mail_queue_messages{state="failed"} 0',
          'mail_queue_messages{state="ready"} 0',
          "mail_queue_oldest_seconds 0"
        ])
        yield* queue.send(messageTo("first@example.com"))
        yield* TestClock.adjust("90 seconds")
        yield* queue.send(messageTo("second@example.com"))
        yield* queue.send(messageTo("third@example.com"))
        yield* TestClock.adjust("1500 millis")
        yield* sql`UPDATE jobs SET state = 'failed' WHERE id = (SELECT MAX(id) FROM jobs WHERE created_at > 1)`
        const one = yield* snapshot
        expect(samples(one)).toEqual([
          'mail_queue_messages{state="delayed"} 0',
          'mail_queue_messages{state="failed"} 1',
          'mail_queue_messages{state="ready"} 2',
          "mail_queue_oldest_seconds 91.5"
        ])
        expect(samples(Snapshot.merge(one, one))).toEqual(samples(one))
        // A message that a worker has leased is not ready.
        expect(yield* claim("mail", 1)).toHaveLength(1)
        expect(samples(yield* snapshot)).toEqual([
          'mail_queue_messages{state="delayed"} 1',
          'mail_queue_messages{state="failed"} 1',
          'mail_queue_messages{state="ready"} 1',
          "mail_queue_oldest_seconds 1.5"
        ])
      })
    )
  })

  layer(Layer.provideMerge(WorkerObservability.layerWith({ collectors: false }), database.layer))((it) => {
    it.effect("are not read once the queue is closed, for the last snapshot of a process", () =>
      Effect.gen(function* () {
        const queue = Layer.provide(MailQueueCollector.layer, SqlJobs.layer)
        const read = yield* Effect.scoped(Effect.zipRight(Layer.build(queue), snapshot))
        expect(samples(read)).toHaveLength(4)
        expect(samples(yield* snapshot)).toEqual([])
      })
    )
  })
})
