import { SqlClient } from "@effect/sql"
import { describe, expect, it, layer } from "@effect/vitest"
import { Duration, Effect, Exit, Layer, Option, Redacted, TestClock } from "effect"
import * as Fs from "node:fs"
import * as QueuedMailer from "../../../layers/mail/QueuedMailer.ts"
import { claimOne } from "../../../layers/mail/internal/MailQueueTable.ts"
import * as SqlMailQueue from "../../../layers/mail/SqlMailQueue.ts"
import { Mailer } from "../../../src/mail/Mailer.ts"
import { MailQueue } from "../../../src/mail/MailQueue.ts"
import type { Claim } from "../../../src/mail/internal/QueuedMessage.ts"
import { describeDatabases, sqlite, TestDatabase } from "../../support/Databases.ts"
import { messageTo, linkOf } from "../../support/Messages.ts"
import { explain } from "../../support/Plans.ts"

const claimed = Effect.flatMap(MailQueue, (queue) => Effect.map(queue.claim, Option.getOrThrow))
const none = Effect.flatMap(MailQueue, (queue) => Effect.map(queue.claim, Option.isNone))

const fail = (claim: Claim) =>
  Effect.flatMap(MailQueue, (queue) => queue.markFailed(claim, "the mail server refused (550)"))

/** Empties the table that the tests of one block share. */
const fresh = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DELETE FROM mail_queue`)

describeDatabases("The mail queue", (database) => {
  layer(QueuedMailer.layer.pipe(Layer.provideMerge(SqlMailQueue.layer), Layer.provideMerge(database.layer)))((it) => {
    it.effect("hands a message out as it was stored, the oldest first", () =>
      Effect.gen(function* () {
        yield* fresh
        const queue = yield* MailQueue
        yield* queue.enqueue(messageTo("first@example.com"))
        yield* TestClock.adjust("1 millis")
        yield* queue.enqueue(messageTo("second@example.com"))
        const first = yield* claimed
        expect(first.message.to).toBe("first@example.com")
        expect(Redacted.value(first.message.text)).toContain(linkOf("first@example.com"))
        expect((yield* claimed).message.to).toBe("second@example.com")
        expect(yield* none).toBe(true)
      })
    )

    it.effect("gives each of many messages to one of many claimers", () =>
      Effect.gen(function* () {
        yield* fresh
        const queue = yield* MailQueue
        for (let index = 0; index < 20; index++) yield* queue.enqueue(messageTo(`n${index}@example.com`))
        const claims = yield* Effect.all(
          Array.from({ length: 40 }, () => queue.claim),
          { concurrency: "unbounded" }
        )
        const taken = claims.flatMap(Option.toArray)
        expect(new Set(taken.map(({ id }) => id)).size).toBe(20)
        expect(taken).toHaveLength(20)
      })
    )

    it.effect("finds the next message by an index, without a sort", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const plan = yield* explain(claimOne(sql, "mail_queue")("lease", 1, 2))
        expect(plan.isIndexSearch, plan.text).toBe(true)
        expect(plan.sorts, plan.text).toBe(false)
      })
    )

    it.effect("keeps a claimed message for its runner for 60 seconds, then gives it to the next", () =>
      Effect.gen(function* () {
        yield* fresh
        const queue = yield* MailQueue
        yield* queue.enqueue(messageTo("ann@example.com"))
        const first = yield* claimed
        yield* TestClock.adjust("59999 millis")
        expect(yield* none).toBe(true)
        yield* TestClock.adjust("1 millis")
        const second = yield* claimed
        expect(second).toMatchObject({ id: first.id, attempts: 0 })
        expect(second.leaseToken).not.toBe(first.leaseToken)
      })
    )

    it.effect("does not let a runner that lost its lease speak for the next one", () =>
      Effect.gen(function* () {
        yield* fresh
        const queue = yield* MailQueue
        yield* queue.enqueue(messageTo("ann@example.com"))
        const first = yield* claimed
        yield* TestClock.adjust("60 seconds")
        const second = yield* claimed
        expect(yield* fail(first)).toEqual(Option.none())
        expect(yield* none).toBe(true)
        yield* queue.markSent(second)
        expect(yield* queue.counts).toEqual({ ready: 0, delayed: 0, leased: 0, failed: 0 })
      })
    )

    it.effect("keeps nothing of a message that was sent", () =>
      Effect.gen(function* () {
        yield* fresh
        const queue = yield* MailQueue
        const sql = yield* SqlClient.SqlClient
        yield* queue.enqueue(messageTo("ann@example.com"))
        yield* queue.markSent(yield* claimed)
        expect(yield* sql`SELECT * FROM mail_queue`).toEqual([])
      })
    )

    it.effect("tries again after 30 and 120 seconds, and gives up after the third failure", () =>
      Effect.gen(function* () {
        yield* fresh
        const queue = yield* MailQueue
        yield* queue.enqueue(messageTo("ann@example.com"))
        for (const wait of [30, 120]) {
          expect(Option.getOrThrow(yield* fail(yield* claimed))._tag).toBe("Retry")
          yield* TestClock.adjust(Duration.millis(wait * 1000 - 1))
          expect(yield* none).toBe(true)
          expect(yield* queue.counts).toEqual({ ready: 0, delayed: 1, leased: 0, failed: 0 })
          yield* TestClock.adjust("1 millis")
        }
        const third = yield* claimed
        expect(third.attempts).toBe(2)
        expect(Option.getOrThrow(yield* fail(third))._tag).toBe("GiveUp")
        yield* TestClock.adjust("1 day")
        expect(yield* none).toBe(true)
        expect(yield* queue.counts).toEqual({ ready: 0, delayed: 0, leased: 0, failed: 1 })
      })
    )

    it.effect("lists a failed message without its address, its text and its link", () =>
      Effect.gen(function* () {
        yield* fresh
        const queue = yield* MailQueue
        yield* giveUp("ann@example.com")
        const failures = yield* queue.failures
        expect(failures).toMatchObject([{ attempts: 3, reason: "the mail server refused (550)" }])
        expect(Object.keys(failures[0] ?? {}).sort()).toEqual(["attempts", "failedAt", "id", "reason"])
        expect(JSON.stringify(failures)).not.toMatch(/ann|example|verif/)
      })
    )

    it.effect("puts failed messages back as if they were new", () =>
      Effect.gen(function* () {
        yield* fresh
        const queue = yield* MailQueue
        yield* giveUp("ann@example.com")
        yield* giveUp("bob@example.com")
        yield* queue.enqueue(messageTo("eve@example.com"))
        expect(yield* queue.retryFailed).toBe(2)
        expect(yield* queue.retryFailed).toBe(0)
        expect(yield* queue.counts).toEqual({ ready: 3, delayed: 0, leased: 0, failed: 0 })
        const again = yield* Effect.all([claimed, claimed, claimed])
        expect(again.map(({ attempts }) => attempts)).toEqual([0, 0, 0])
        expect(yield* queue.counts).toEqual({ ready: 0, delayed: 3, leased: 3, failed: 0 })
      })
    )

    it.effect("keeps a message that it cannot read, as failed, and goes on with the next", () =>
      Effect.gen(function* () {
        yield* fresh
        const queue = yield* MailQueue
        const sql = yield* SqlClient.SqlClient
        yield* queue.enqueue(messageTo("old@example.com"))
        yield* sql`UPDATE mail_queue SET letter = ${'{"to":"nobody"}'}`
        yield* TestClock.adjust("1 millis")
        yield* queue.enqueue(messageTo("new@example.com"))
        expect((yield* claimed).message.to).toBe("new@example.com")
        expect(yield* queue.failures).toMatchObject([{ reason: "the stored message cannot be read" }])
      })
    )

    it.effect("stores a message and what it speaks of together", () =>
      Effect.gen(function* () {
        yield* fresh
        const sql = yield* SqlClient.SqlClient
        const mailer = yield* Mailer
        yield* mailer.sendFrom(Effect.as(token("a1"), messageTo("ann@example.com")))
        expect(yield* tokens).toEqual(["a1"])
        expect((yield* claimed).message.to).toBe("ann@example.com")
        yield* sql`DELETE FROM tokens`
      })
    )

    it.effect("stores neither when the making fails", () =>
      Effect.gen(function* () {
        yield* fresh
        const queue = yield* MailQueue
        const mailer = yield* Mailer
        const own = yield* Effect.flip(mailer.sendFrom(Effect.zipRight(token("b1"), Effect.fail("not today" as const))))
        expect(own).toBe("not today")
        expect(yield* tokens).toEqual([])
        expect((yield* queue.counts).ready).toBe(0)
      })
    )

    it.effect("stores neither when the message cannot be stored", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const mailer = yield* Mailer
        yield* sql`ALTER TABLE mail_queue RENAME TO away`
        const exit = yield* Effect.exit(mailer.sendFrom(Effect.as(token("c1"), messageTo("ann@example.com"))))
        yield* sql`ALTER TABLE away RENAME TO mail_queue`
        expect(Exit.isFailure(exit) && exit.cause._tag).toBe("Die")
        expect(yield* tokens).toEqual([])
      })
    )

    it.effect("stores a message in the transaction of the caller, and not when that is rolled back", () =>
      Effect.gen(function* () {
        yield* fresh
        const sql = yield* SqlClient.SqlClient
        const queue = yield* MailQueue
        const mailer = yield* Mailer
        const work = mailer.send(messageTo("ann@example.com")).pipe(Effect.zipRight(token("d1")))
        yield* work.pipe(Effect.zipRight(Effect.fail("no")), sql.withTransaction, Effect.ignore)
        expect((yield* queue.counts).ready).toBe(0)
        yield* work.pipe(sql.withTransaction)
        expect((yield* queue.counts).ready).toBe(1)
        expect(yield* tokens).toEqual(["d1"])
        yield* sql`DELETE FROM tokens`
      })
    )
  })
})

describe("The mail queue in a SQLite file", () => {
  it.effect("leaves no trace of a sent message in the file", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* MailQueue
      const { url } = yield* TestDatabase
      const contents = Effect.map(sql`PRAGMA wal_checkpoint(TRUNCATE)`, () =>
        Fs.readFileSync(url.slice("file:".length))
      )
      for (const name of ["ann", "bob", "eve"]) yield* queue.enqueue(messageTo(`${name}@example.com`))
      expect((yield* contents).includes(linkOf("ann@example.com"))).toBe(true)
      yield* Effect.forEach(yield* Effect.all([claimed, claimed, claimed]), queue.markSent)
      expect((yield* contents).includes("verifier-of")).toBe(false)
    }).pipe(Effect.provide(SqlMailQueue.layer.pipe(Layer.provideMerge(sqlite.layer))))
  )
})

const giveUp = Effect.fnUntraced(function* (to: string) {
  const queue = yield* MailQueue
  yield* queue.enqueue(messageTo(to))
  for (let attempt = 0; attempt < 3; attempt++) {
    yield* fail(yield* claimed)
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
