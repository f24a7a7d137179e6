// Messages about changes of an account: kept until they are sent, each by one worker.
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted, TestClock } from "effect"
import * as SqlNotices from "../../../layers/auth/internal/SqlNotices.ts"
import * as Tables from "../../../layers/database/Tables.ts"
import { type Change, collected, kept, lease, Notices } from "../../../src/auth/internal/Notices.ts"
import * as Mailer from "../../../src/mail/Mailer.ts"
import { Address, Line, MailMessage } from "../../../src/mail/MailMessage.ts"
import { AccountId } from "../../../src/session/Identity.ts"
import { describeDatabases, TestDatabase } from "../../support/Databases.ts"

const message = (to: string, text: string) =>
  new MailMessage({
    to: Address.make(to),
    subject: Line.make("A change"),
    text: Redacted.make(text),
    html: Redacted.make(text)
  })

// What a mailer was given, and whether it takes it.
const mailbox = () => {
  const sent: Array<string> = []
  let works = true
  const mailer = Mailer.fromSend(({ text, to }) =>
    works
      ? Effect.sync(() => void sent.push(`${to} ${Redacted.value(text)}`))
      : Effect.fail(new Mailer.MailDeliveryError({ reason: "the mail server is away" }))
  )
  return { sent, mailer, work: (now: boolean) => void (works = now) }
}

let minted = 0

const change = (to: string, line: string): Change<never, never> => ({
  user: AccountId.make("ann"),
  to,
  line,
  mint: Effect.sync(() => Redacted.make(`token-${++minted}`)),
  compose: (changes, token) => Effect.succeed(message(to, `${changes.join(", ")} ${Redacted.value(token)}`))
})

describeDatabases("Notices", (database) => {
  layer(Layer.provideMerge(SqlNotices.layer(Tables.defaults), database.layer))((it) => {
    it.effect("sends a message once, though several workers want to", () =>
      Effect.gen(function* () {
        const notices = yield* Notices
        const { mailer, sent } = mailbox()
        const id = yield* notices.add(message("once@example.com", "hello"))
        const all = [notices.send(id), notices.sendDue, notices.send(id), notices.sendDue]
        yield* Effect.all(all, { concurrency: "unbounded" }).pipe(Effect.provideService(Mailer.Mailer, mailer))
        expect(sent).toEqual(["once@example.com hello"])
      })
    )

    it.effect("collects what happens until it is due, with one link, and then begins anew", () =>
      Effect.gen(function* () {
        const notices = yield* Notices
        const { mailer, sent } = mailbox()
        const send = Effect.provideService(notices.sendDue, Mailer.Mailer, mailer)
        const to = "many@example.com"
        const first = minted + 1
        const lines = Array.from({ length: 12 }, (_, n) => `change ${n}`)
        yield* Effect.forEach(lines, (line) => notices.collect(change(to, line)), { concurrency: "unbounded" })
        yield* notices.collect(change("other@example.com", "elsewhere"))
        expect(yield* send).toBe(0)
        yield* TestClock.adjust(collected)
        expect(yield* send).toBe(2)
        const mine = sent.find((one) => one.startsWith(to)) ?? ""
        for (const line of lines) expect(mine).toContain(line)
        expect(mine.endsWith(`token-${first}`)).toBe(true)
        expect(minted).toBe(first + 1)
        yield* notices.collect(change(to, "later"))
        yield* TestClock.adjust(collected)
        expect(yield* send).toBe(1)
        expect(sent.at(-1)).toBe(`${to} later token-${first + 2}`)
      })
    )

    it.effect("keeps a change that comes while the message before it is sent", () =>
      Effect.gen(function* () {
        const notices = yield* Notices
        const { mailer, sent } = mailbox()
        const to = "meanwhile@example.com"
        yield* notices.collect(change(to, "first"))
        yield* TestClock.adjust(collected)
        const slow = Mailer.fromSend((one) => Effect.zipRight(notices.collect(change(to, "second")), mailer.send(one)))
        yield* Effect.provideService(notices.sendDue, Mailer.Mailer, slow)
        yield* TestClock.adjust(collected)
        yield* Effect.provideService(notices.sendDue, Mailer.Mailer, mailer)
        expect(sent.map((one) => one.split(" ")[1])).toEqual(["first", "second"])
      })
    )

    it.effect("leaves the message of a worker that is killed to another one, after its lease", () =>
      Effect.gen(function* () {
        const notices = yield* Notices
        const { mailer, sent } = mailbox()
        yield* notices.add(message("killed@example.com", "hello"))
        const begun = yield* Effect.makeLatch()
        const stuck = Mailer.fromSend(() => Effect.zipRight(begun.open, Effect.never))
        const killed = yield* Effect.fork(Effect.provideService(notices.sendDue, Mailer.Mailer, stuck))
        yield* begun.await
        yield* Fiber.interrupt(killed)
        const send = Effect.provideService(notices.sendDue, Mailer.Mailer, mailer)
        expect(yield* send).toBe(0)
        yield* TestClock.adjust(lease)
        expect(yield* send).toBe(1)
        expect(sent).toEqual(["killed@example.com hello"])
      })
    )

    it.effect("tries again after a failed delivery, for a day", () =>
      Effect.gen(function* () {
        const notices = yield* Notices
        const { mailer, sent, work } = mailbox()
        const send = Effect.provideService(notices.sendDue, Mailer.Mailer, mailer)
        work(false)
        yield* notices.add(message("again@example.com", "hello"))
        expect(yield* send).toBe(0)
        work(true)
        yield* TestClock.adjust(lease)
        expect(yield* send).toBe(1)
        expect(sent).toEqual(["again@example.com hello"])
        yield* notices.add(message("lost@example.com", "hello"))
        yield* TestClock.adjust(kept)
        expect(yield* notices.sweep).toBe(1)
        expect(yield* send).toBe(0)
      })
    )

    it.effect("stores nothing in a transaction that is rolled back", () =>
      Effect.gen(function* () {
        const notices = yield* Notices
        const sql = yield* SqlClient.SqlClient
        const { mailer } = mailbox()
        const both = Effect.zipRight(
          notices.add(message("undone@example.com", "hello")),
          notices.collect(change("undone@example.com", "line"))
        )
        yield* Effect.ignore(sql.withTransaction(Effect.zipRight(both, Effect.fail("no"))))
        yield* TestClock.adjust(collected)
        expect(yield* Effect.provideService(notices.sendDue, Mailer.Mailer, mailer)).toBe(0)
      })
    )

    it.effect("is one list for all workers", () =>
      Effect.gen(function* () {
        const notices = yield* Notices
        const { url } = yield* TestDatabase
        const { mailer, sent } = mailbox()
        const to = "fleet@example.com"
        const other = Layer.provide(SqlNotices.layer(Tables.defaults), database.layerAt(url))
        yield* notices.collect(change(to, "here"))
        yield* Effect.provide(
          Effect.flatMap(Notices, ({ collect }) => collect(change(to, "there"))),
          other
        )
        yield* TestClock.adjust(collected)
        yield* Effect.provideService(notices.sendDue, Mailer.Mailer, mailer)
        expect(sent.map((one) => one.replace(/ token-\d+/, ""))).toEqual([`${to} here, there`])
      })
    )
  })
})
