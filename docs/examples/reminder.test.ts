import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { DateTime, Effect, Redacted, TestClock } from "effect"
import { CronJob } from "effect-framework/jobs"
import { Mailer, MailMessage } from "effect-framework/mail"
import { CapturedMail, TestApp, TestJobs } from "effect-framework/testing"

const Reminder = CronJob.make("reminder", "0 9 * * *", { zone: "Europe/Berlin" })

const reminder = (email: string) =>
  Effect.map(MailMessage.parseAddress(email), (to) => {
    const [text, html] = [Redacted.make("See you tomorrow."), Redacted.make("<p>See you tomorrow.</p>")]
    return new MailMessage.MailMessage({ to, subject: MailMessage.Line.make("Tomorrow"), text, html })
  })

// A booking is marked before its e-mail is sent: an attempt that fails half-way goes on with the others.
const services = CronJob.toLayer(Reminder, ({ at }) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { send } = yield* Mailer.Mailer
    const day = DateTime.formatIsoDateUtc(DateTime.add(at, { days: 1 }))
    const due = yield* sql<{ email: string }>`SELECT email FROM bookings WHERE day = ${day} AND reminded IS NULL`
    for (const { email } of due) {
      const marked = yield* sql`UPDATE bookings SET reminded = ${day}
        WHERE day = ${day} AND email = ${email} AND reminded IS NULL RETURNING email`
      if (marked.length > 0) yield* send(yield* reminder(email))
    }
  })
)

const table = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE bookings (email TEXT NOT NULL, day TEXT NOT NULL, reminded TEXT)`
  yield* sql`INSERT INTO bookings (email, day) VALUES ('ann@example.com', '2027-05-02')`
})

layer(TestApp.layer([], { migrations: { "0001_bookings": table }, services }))("A reminder", (it) => {
  it.effect("is sent once, at nine in Berlin, however many processes run jobs", () =>
    Effect.gen(function* () {
      const { messagesTo } = yield* CapturedMail.CapturedMail
      yield* TestClock.setTime(Date.parse("2027-05-01T06:59:00Z"))
      yield* TestJobs.run
      expect(yield* messagesTo("ann@example.com")).toEqual([])
      yield* TestClock.setTime(Date.parse("2027-05-01T07:00:01Z"))
      yield* Effect.all([TestJobs.run, TestJobs.run, TestJobs.run], { concurrency: "unbounded" })
      expect((yield* messagesTo("ann@example.com")).map(({ subject }) => subject)).toEqual(["Tomorrow"])
    })
  )
})
