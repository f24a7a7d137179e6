import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Context, Deferred, Duration, Effect, Exit, Fiber, Layer, Logger, Redacted, Ref, TestClock } from "effect"
import * as Fs from "node:fs"
import * as Tables from "../../../layers/database/Tables.ts"
import * as JobWorker from "../../../layers/jobs/JobWorker.ts"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import * as OldMailQueue from "../../../layers/mail/internal/OldMailQueue.ts"
import * as QueuedMailer from "../../../layers/mail/QueuedMailer.ts"
import { Jobs } from "../../../src/jobs/Jobs.ts"
import * as Handlers from "../../../src/jobs/internal/Handlers.ts"
import { counts, MailJob } from "../../../src/mail/internal/MailJob.ts"
import { smtpTimeouts } from "../../../src/mail/internal/SmtpDefaults.ts"
import { fromSend, MailDeliveryError, Mailer } from "../../../src/mail/Mailer.ts"
import type { MailMessage } from "../../../src/mail/MailMessage.ts"
import * as TestJobs from "../../../testing/TestJobs.ts"
import { describeDatabases, sqlite, TestDatabase } from "../../support/Databases.ts"
import { linkOf, messageTo } from "../../support/Messages.ts"

type Send = (message: MailMessage) => Effect.Effect<void, MailDeliveryError>

/** Addresses of the messages that were sent, with the ids that they were sent under. */
class Sent extends Context.Tag("test/Sent")<Sent, Ref.Ref<ReadonlyArray<readonly [to: string, id: string]>>>() {}

const addresses = Effect.flatMap(Sent, (sent) => Effect.map(sent, (all) => all.map(([to]) => to)))

const working: Send = () => Effect.void
const refusing: Send = () => Effect.fail(new MailDeliveryError({ reason: "the mail server refused (550)" }))

const transport = (send: Send) =>
  Layer.effect(
    Mailer,
    Effect.map(Sent, (sent) =>
      fromSend((message, { id = "" } = {}) =>
        Effect.zipRight(
          send(message),
          Ref.update(sent, (before) => [...before, [message.to, id] as const])
        )
      )
    )
  )

/** Sends what is ready with such a transport. */
const deliver = (send: Send) =>
  Effect.provide(
    JobWorker.untilIdle({ concurrency: 2 }),
    QueuedMailer.handler().pipe(Layer.provide(transport(send)), Layer.provideMerge(Handlers.layer))
  )

const store = (...to: ReadonlyArray<string>) =>
  Effect.flatMap(Mailer, (mailer) =>
    Effect.forEach(to, (address) => mailer.send(messageTo(address)), { discard: true })
  )

const none = { ready: 0, delayed: 0, leased: 0, failed: 0 }

const giveUp = Effect.fnUntraced(function* (to: string) {
  yield* store(to)
  for (let attempt = 0; attempt < 3; attempt++) {
    yield* deliver(refusing)
    yield* TestClock.adjust("1 hour")
  }
})

const token = (selector: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`INSERT INTO tokens (selector, verifier, user_id, purpose, expires, created_at)
        VALUES (${selector}, 'x', ${selector}, 'verification', 1, 1)`
  )

const tokens = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ readonly selector: string }>`SELECT selector FROM tokens`, (rows) => rows.map((row) => row.selector))
)

const nothing = { ticket: null, failed_at: null, reason: null }

/** Rows as the version before has stored them. */
const old = (...messages: ReadonlyArray<{ readonly id: string; readonly [column: string]: unknown }>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const rows = messages.map((columns) => {
      const { html, subject, text, to } = messageTo(`${columns.id}@example.com`)
      const letter = JSON.stringify({
        to,
        subject,
        text: Redacted.value(text),
        html: Redacted.value(html),
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
      })
      return Object.assign({ letter, attempts: 0, due: 0, created_at: 0, ...nothing }, columns)
    })
    return sql`INSERT INTO mail_queue ${sql.insert(rows)}`
  })

const realTick = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

const waitingInOldTable = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ readonly id: string }>`SELECT id FROM mail_queue ORDER BY id`, (rows) => rows.map(({ id }) => id))
)

const services = (database: Layer.Layer<SqlClient.SqlClient | TestDatabase, unknown>) =>
  QueuedMailer.layer.pipe(
    Layer.provideMerge(SqlJobs.layer),
    Layer.provideMerge(Layer.effect(Sent, Ref.make<ReadonlyArray<readonly [string, string]>>([]))),
    Layer.provideMerge(database)
  )

type Services = Layer.Layer.Success<ReturnType<typeof services>>

describeDatabases("Queued mail", (database) => {
  const test = <E>(name: string, body: () => Effect.Effect<void, E, Services>) =>
    it.effect(name, () => Effect.provide(body(), services(database.layer)))

  test("is sent as it was stored, the oldest first, each message once", () =>
    Effect.gen(function* () {
      yield* store("first@example.com")
      yield* TestClock.adjust("1 millis")
      yield* store("second@example.com")
      const [first] = yield* TestJobs.enqueued(MailJob)
      expect(Redacted.value(first?.text ?? Redacted.make(""))).toContain(linkOf("first@example.com"))
      expect(yield* counts).toEqual({ ...none, ready: 2 })
      yield* deliver(working)
      yield* deliver(working)
      expect(yield* addresses).toEqual(["first@example.com", "second@example.com"])
      expect(yield* counts).toEqual(none)
    }))

  test("keeps nothing of a message that was sent but that there was one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* store("ann@example.com")
      yield* deliver(working)
      const rows = yield* sql`SELECT * FROM jobs`
      expect(rows).toMatchObject([{ name: "mail", state: "done", payload: "" }])
      expect(JSON.stringify(rows)).not.toMatch(/ann|verif|http/)
    }))

  test("is tried again after 30 and 120 seconds, and given up after the third failure", () =>
    Effect.gen(function* () {
      yield* store("ann@example.com")
      for (const wait of [30, 120]) {
        yield* deliver(refusing)
        yield* TestClock.adjust(Duration.millis(wait * 1000 - 1))
        yield* deliver(working)
        expect(yield* counts).toEqual({ ...none, delayed: 1 })
        yield* TestClock.adjust("1 millis")
        expect(yield* counts).toEqual({ ...none, ready: 1 })
      }
      yield* deliver(refusing)
      yield* TestClock.adjust("1 day")
      yield* deliver(working)
      expect(yield* addresses).toEqual([])
      expect(yield* counts).toEqual({ ...none, failed: 1 })
    }))

  test("is listed without address, text and link when it failed, and put back as if it were new", () =>
    Effect.gen(function* () {
      const { list, retryFailed } = yield* Jobs
      yield* giveUp("ann@example.com")
      const failures = yield* list({ state: "failed" })
      expect(failures).toMatchObject([{ attempts: 3, reason: "the mail server refused (550)" }])
      expect(JSON.stringify(failures)).not.toMatch(/ann|example|verif/)
      expect(yield* retryFailed("mail")).toBe(1)
      yield* deliver(refusing)
      expect(yield* counts).toEqual({ ...none, delayed: 1 })
    }))

  test("lets one bad message keep no other back", () =>
    Effect.gen(function* () {
      yield* store("bad@example.com", "good@example.com")
      yield* deliver((message) => (message.to.startsWith("bad") ? refusing(message) : Effect.void))
      expect(yield* addresses).toEqual(["good@example.com"])
      expect(yield* counts).toEqual({ ...none, delayed: 1 })
    }))

  test("counts a mailer that breaks as a failed attempt, and logs it without address and link", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const listening = Logger.replace(
        Logger.defaultLogger,
        Logger.map(Logger.logfmtLogger, (line) => void lines.push(line))
      )
      yield* store("ann@example.com")
      yield* Effect.provide(
        deliver(() => Effect.die(new Error("bug with ann@example.com"))),
        listening
      )
      expect(lines).toHaveLength(1)
      expect(lines[0]).toMatch(/Job mail [0-9a-f]{32}, attempt 1: the mailer broke/)
      expect(lines[0]).not.toMatch(/ann@|verif/)
      expect(yield* counts).toEqual({ ...none, delayed: 1 })
    }))

  test("gives a delivery up before a lease would end", () =>
    Effect.gen(function* () {
      expect(Duration.lessThan(smtpTimeouts.delivery, MailJob.timeout)).toBe(true)
      yield* store("ann@example.com")
      const started = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(
        deliver(() => Effect.zipRight(Deferred.succeed(started, undefined), Effect.never))
      )
      yield* Deferred.await(started)
      expect(yield* counts).toEqual({ ...none, delayed: 1, leased: 1 })
      yield* TestClock.adjust("46 seconds")
      yield* Fiber.join(fiber)
      expect(yield* counts).toEqual({ ...none, delayed: 1 })
    }))

  test("keeps a message that it cannot read, as failed, and goes on with the next", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* store("old@example.com")
      yield* sql`UPDATE jobs SET payload = ${'{"to":"nobody"}'}`
      yield* store("new@example.com")
      yield* deliver(working)
      expect(yield* addresses).toEqual(["new@example.com"])
      expect(yield* (yield* Jobs).list({ state: "failed" })).toMatchObject([{ reason: /cannot read/ }])
    }))

  test("is stored with what it speaks of, or neither is", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const mailer = yield* Mailer
      yield* mailer.sendFrom(Effect.as(token("a1"), messageTo("ann@example.com")))
      expect(yield* tokens).toEqual(["a1"])
      const own = yield* Effect.flip(mailer.sendFrom(Effect.zipRight(token("b1"), Effect.fail("not today" as const))))
      expect(own).toBe("not today")
      yield* sql`ALTER TABLE jobs RENAME TO away`
      const exit = yield* Effect.exit(mailer.sendFrom(Effect.as(token("c1"), messageTo("bob@example.com"))))
      yield* sql`ALTER TABLE away RENAME TO jobs`
      expect(Exit.isFailure(exit) && exit.cause._tag).toBe("Die")
      expect(yield* tokens).toEqual(["a1"])
      expect((yield* counts).ready).toBe(1)
    }))

  test("is stored in the transaction of the caller, and not when that is rolled back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const work = Effect.zipRight(store("ann@example.com"), token("d1"))
      yield* work.pipe(Effect.zipRight(Effect.fail("no")), sql.withTransaction, Effect.ignore)
      expect((yield* counts).ready).toBe(0)
      yield* sql.withTransaction(work)
      expect((yield* counts).ready).toBe(1)
      expect(yield* tokens).toEqual(["d1"])
    }))

  test("moves what the version before has stored, under its old id, with its attempts", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      yield* old(
        { id: "ready" },
        { id: "delayed", attempts: 2, due: 1_060_000, reason: "refused" },
        { id: "failed", attempts: 3, failed_at: 900_000, reason: "the mail server refused (550)" },
        { id: "held", ticket: "lease", due: 1_030_000 },
        { id: "lost", ticket: "lease", due: 999_999 }
      )
      yield* deliver(working)
      expect(yield* waitingInOldTable).toEqual(["held"])
      expect([...(yield* Effect.flatMap(Sent, (sent) => sent))].sort()).toEqual([
        ["lost@example.com", "lost"],
        ["ready@example.com", "ready"]
      ])
      expect(yield* counts).toEqual({ ...none, delayed: 1, failed: 1 })
      expect(yield* (yield* Jobs).list({ state: "failed" })).toMatchObject([
        { id: "failed", attempts: 3, endedAt: 900_000, reason: "the mail server refused (550)" }
      ])
      // The third failure of what had failed twice before it was moved is its last.
      yield* TestClock.adjust("60 seconds")
      yield* deliver(refusing)
      expect(yield* counts).toEqual({ ...none, delayed: 1, failed: 2 })
    }))

  test("moves every minute what comes later, many at once, each message once for all processes", () =>
    Effect.gen(function* () {
      const handler = Layer.provide(QueuedMailer.handler(), transport(working))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Layer.build(JobWorker.layer().pipe(Layer.provide(handler)))
          yield* old({ id: "late" })
          yield* TestClock.adjust("1 minute")
          yield* Effect.repeat(Effect.zipRight(realTick, addresses), { until: (all) => all.length === 1 })
        })
      )
      yield* old(...Array.from({ length: 1100 }, (_, index) => ({ id: `n${index}` })))
      yield* Effect.all(
        [1, 2, 3].map(() => OldMailQueue.move(Tables.defaults)),
        { concurrency: "unbounded" }
      )
      expect(yield* waitingInOldTable).toEqual([])
      expect((yield* counts).ready).toBe(1100)
    }))
})

describe("Queued mail in a SQLite file", () => {
  it.effect("leaves no trace of a message in the file: it is sealed until it is sent, and then erased", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { url } = yield* TestDatabase
      const contents = Effect.map(sql`PRAGMA wal_checkpoint(TRUNCATE)`, () =>
        Fs.readFileSync(url.slice("file:".length))
      )
      yield* store("ann@example.com", "bob@example.com", "eve@example.com")
      const [{ payload = "" } = {}] = yield* sql<{ readonly payload: string }>`SELECT payload FROM jobs`
      const waiting = yield* contents
      expect([waiting.includes(payload.slice(0, 100)), waiting.includes("verifier-of")]).toEqual([true, false])
      yield* deliver(working)
      expect((yield* contents).includes(payload.slice(0, 100))).toBe(false)
    }).pipe(Effect.provide(services(sqlite.layer)))
  )
})
