// The spans of services and statements, on both databases, with a tracer of the program's own.
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { PreparedStatements } from "../../../layers/database/internal/PreparedStatements.ts"
import * as JobWorker from "../../../layers/jobs/JobWorker.ts"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import * as QueuedMailer from "../../../layers/mail/QueuedMailer.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Users } from "../../../src/auth/Users.ts"
import { fromSend, Mailer } from "../../../src/mail/Mailer.ts"
import { describeDatabases, TestDatabase } from "../../support/Databases.ts"
import { messageTo } from "../../support/Messages.ts"
import * as RecordedSpans from "../../support/RecordedSpans.ts"
import * as Stores from "../auth/Stores.ts"

const named = (spans: ReadonlyArray<RecordedSpans.RecordedSpan>, name: string) =>
  spans.filter((span) => span.name === name)

const fresh = Effect.map(RecordedSpans.RecordedSpans, (spans) => void spans.splice(0))

const statements = (spans: ReadonlyArray<RecordedSpans.RecordedSpan>) =>
  named(spans, "sql.execute").map(({ attributes }) => String(attributes.get("db.query.text")))

describeDatabases("The spans of services", (database) => {
  const services = Layer.merge(
    Stores.stores(database),
    QueuedMailer.layer.pipe(Layer.provideMerge(SqlJobs.layer), Layer.provideMerge(database.layer))
  ).pipe(Layer.provideMerge(RecordedSpans.layer))

  layer(services)((it) => {
    it.effect("name the method, with its statements as children and no value in them", () =>
      Effect.gen(function* () {
        const { email, id } = yield* Stores.enroll
        const users = yield* Users
        const tokens = yield* Tokens
        yield* fresh
        yield* users.verify(email, Redacted.make("correct horse"))
        yield* tokens.mint(id, "recovery")
        const spans = yield* RecordedSpans.RecordedSpans
        const [verify] = named(spans, "Users.verify")
        const [mint] = named(spans, "Tokens.mint")
        const parents = named(spans, "sql.execute").map(RecordedSpans.parentOf)
        expect(parents).toContain(verify?.spanId)
        expect(parents).toContain(mint?.spanId)
        const texts = statements(spans)
        expect(texts.some((text) => text.includes("SELECT") && text.includes("users"))).toBe(true)
        expect(JSON.stringify(spans.flatMap(({ attributes }) => Array.from(attributes)))).not.toContain(email)
      })
    )

    it.effect("include the statements that are prepared once", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { one } = Option.getOrThrow(yield* Effect.serviceOption(PreparedStatements))
        const read = one(sql`SELECT email FROM users WHERE id = ${""}`)
        yield* fresh
        yield* read(["nobody"])
        const spans = yield* RecordedSpans.RecordedSpans
        expect(statements(spans).some((text) => text.startsWith("SELECT email FROM users"))).toBe(true)
      })
    )

    it.effect("follow a message from the request through the queue to its delivery in another process", () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const mailer = yield* Mailer
        const spans = yield* RecordedSpans.RecordedSpans
        yield* fresh
        yield* Effect.withSpan(mailer.send(messageTo("a@example.com")), "GET /request")
        // Its own connection, tracer state and fiber, as in another process: only the row connects them.
        const transport = Layer.succeed(
          Mailer,
          fromSend(() => Effect.void)
        )
        const worker = Layer.provide(QueuedMailer.handler(), transport).pipe(
          Layer.provideMerge(SqlJobs.layer),
          Layer.provideMerge(database.layerAt(url))
        )
        yield* Effect.provide(JobWorker.untilIdle(), worker)
        const [request] = named(spans, "GET /request")
        const [enqueued] = named(spans, "Jobs.enqueue")
        const [delivery] = named(spans, "job mail")
        const [sent] = named(spans, "Mailer.send")
        expect(enqueued).toMatchObject({ kind: "producer", traceId: request?.traceId })
        expect(delivery).toMatchObject({ kind: "consumer", traceId: request?.traceId })
        expect(delivery?.links.map(({ span }) => span.spanId)).toEqual([
          delivery === undefined ? "" : RecordedSpans.parentOf(delivery)
        ])
        expect(sent).toMatchObject({ kind: "client", traceId: request?.traceId })
        expect(delivery?.attributes.get("messaging.destination.name")).toBe("mail")
        // The polls of a queue that is empty are no spans.
        yield* fresh
        yield* Effect.provide(JobWorker.untilIdle(), worker)
        expect(statements(spans).filter((text) => /jobs|mail_queue/.test(text))).toEqual([])
      })
    )
  })
})
