import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema } from "effect"
import { Mailer, MailMessage } from "effect-framework/mail"
import { Identity } from "effect-framework/session"
import { QueuedMailer } from "effect-framework/layers/mail"
import { Access } from "effect-framework/routes/auth"
import { FormState, Respond } from "effect-framework/routes/session"
import { CapturedMail, TestApp, TestJobs } from "effect-framework/testing"

const Order = Schema.Struct({ tea: Schema.NonEmptyString, cups: Schema.NumberFromString.pipe(Schema.int()) })

const receipt = (email: string, tea: string) =>
  Effect.map(MailMessage.parseAddress(email), (to) => {
    const [text, html] = [Redacted.make(`Your ${tea} comes.`), Redacted.make("<p>Your tea comes.</p>")]
    return new MailMessage.MailMessage({ to, subject: MailMessage.Line.make("Your order"), text, html })
  })

const order = Effect.gen(function* () {
  const { email } = yield* Identity.CurrentIdentity
  const { cups, tea } = yield* FormState.read(Order)
  const sql = yield* SqlClient.SqlClient
  const { send } = yield* Mailer.Mailer
  // The e-mail is a row, too: the last statement fails where nothing is left, and takes both back.
  yield* Effect.gen(function* () {
    yield* sql`INSERT INTO orders ${sql.insert({ email, tea, cups })}`
    yield* send(yield* receipt(email, tea))
    yield* sql`UPDATE stock SET cups = cups - ${cups} WHERE tea = ${tea}`
  }).pipe(
    sql.withTransaction,
    Effect.catchTag("SqlError", () => FormState.invalid(Order, { status: 409, error: "Not enough is left." })),
    Effect.catchTags({ InvalidAddress: Effect.die, MailDeliveryError: Effect.die })
  )
  return Respond.text("Ordered")
})

const routes = [HttpLayerRouter.route("POST", "/orders", Access.requireUser(order))]

const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE orders (email TEXT NOT NULL, tea TEXT NOT NULL, cups INTEGER NOT NULL)`
  yield* sql`CREATE TABLE stock (tea TEXT PRIMARY KEY, cups INTEGER NOT NULL CHECK (cups >= 0))`
  yield* sql`INSERT INTO stock VALUES ('assam', 3)`
})

// What MAIL_QUEUE=1 provides: the queue for the routes, and behind it the transport that CapturedMail reads.
const services = Layer.provideMerge(QueuedMailer.layer, QueuedMailer.handler())

layer(TestApp.layer(routes, { migrations: { "0001_orders": tables }, services }))("An order", (it) => {
  it.effect("and its e-mail are there together, or neither of them", () =>
    Effect.gen(function* () {
      const { messages } = yield* CapturedMail.CapturedMail
      const sql = yield* SqlClient.SqlClient
      const user = yield* TestApp.signedInUser()
      expect((yield* user.json("POST", "/orders", { tea: "assam", cups: "5" })).status).toBe(409)
      yield* TestJobs.run
      expect(yield* messages).toEqual([])
      expect(yield* sql`SELECT * FROM orders`).toEqual([])
      expect((yield* user.json("POST", "/orders", { tea: "assam", cups: "2" })).body).toBe("Ordered")
      yield* TestJobs.run
      expect(yield* messages).toMatchObject([{ to: user.user.email, text: "Your assam comes." }])
    })
  )
})
