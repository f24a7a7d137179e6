import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted, Schema, TestClock } from "effect"
import { CronJob, Job, Jobs } from "effect-framework/jobs"
import { Mailer, MailMessage } from "effect-framework/mail"
import { CapturedMail, TestApp, TestJobs } from "effect-framework/testing"

const zone = "Pacific/Auckland"

const Tomorrow = CronJob.make("tomorrow", "0 9 * * *", { zone, transactional: true })

const Reminder = Job.make("reminder", { payload: Schema.Struct({ email: Schema.String }) })

// The marks and the jobs are one transaction, and each e-mail is a job of its own, which is tried again by itself.
const remind = ({ at }: CronJob.Tick) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const day = DateTime.formatIsoDate(DateTime.add(DateTime.unsafeSetZoneNamed(at, zone), { days: 1 }))
    const due = yield* sql<{ email: string }>`UPDATE bookings SET reminded = ${day}
      WHERE day = ${day} AND reminded IS NULL RETURNING email`
    for (const { email } of due) yield* Jobs.enqueue(Reminder, { email })
  })

const message = (email: string) =>
  Effect.map(MailMessage.parseAddress(email), (to) => {
    const [text, html] = [Redacted.make("See you tomorrow."), Redacted.make("<p>See you tomorrow.</p>")]
    return new MailMessage.MailMessage({ to, subject: MailMessage.Line.make("Tomorrow"), text, html })
  })

const send = ({ email }: typeof Reminder.payload.Type) =>
  Effect.flatMap(Mailer.Mailer, ({ send }) => Effect.flatMap(message(email), (reminder) => send(reminder)))

const reminders = Layer.provideMerge(CronJob.toLayer(Tomorrow, remind), Job.toLayer(Reminder, send))

const table = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE bookings (email TEXT NOT NULL, day TEXT NOT NULL, reminded TEXT)`
  yield* sql`INSERT INTO bookings (email, day) VALUES ('ann@example.com', '2027-05-03'), ('bob@example.com', '2027-05-02')`
})

// A mail server that refuses the first message.
const recovering = Layer.effect(
  Mailer.Mailer,
  Effect.map(Mailer.Mailer, ({ send }) => {
    let isDown = true
    return Mailer.fromSend((message) => {
      if (!isDown) return send(message)
      isDown = false
      return new Mailer.MailDeliveryError({ reason: "The mail server is down" })
    })
  })
)

const services = Layer.provide(reminders, recovering)

layer(TestApp.layer([], { migrations: { "0001_bookings": table }, services }))("A reminder", (it) => {
  it.effect("is sent once, at nine in Auckland for the next day there, also when the mail server was down", () =>
    Effect.gen(function* () {
      const { messages } = yield* CapturedMail.CapturedMail
      yield* TestClock.setTime(Date.parse("2027-05-01T20:59:00Z"))
      yield* TestJobs.run
      yield* TestClock.setTime(Date.parse("2027-05-01T21:00:01Z"))
      yield* Effect.all([TestJobs.run, TestJobs.run, TestJobs.run], { concurrency: "unbounded" })
      expect(yield* messages).toEqual([])
      yield* TestClock.adjust("1 hour")
      yield* TestJobs.run
      expect(yield* messages).toMatchObject([{ to: "ann@example.com", subject: "Tomorrow" }])
    })
  )
})
