import { HttpLayerRouter } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Identity } from "effect-framework/session"
import { Mailer, MailMessage } from "effect-framework/mail"
import { Access } from "effect-framework/routes/auth"
import { Respond } from "effect-framework/routes/session"
import { CapturedMail, TestApp } from "effect-framework/testing"

const receipt = (email: string) =>
  Effect.map(MailMessage.parseAddress(email), (to) => {
    const [text, html] = [Redacted.make("One cup of tea."), Redacted.make("<p>One cup of tea.</p>")]
    return new MailMessage.MailMessage({ to, subject: MailMessage.Line.make("Your receipt"), text, html })
  })

const order = Effect.gen(function* () {
  const { email } = yield* Identity.CurrentIdentity
  yield* Mailer.sendOrLog(receipt(email))
  return Respond.text("Ordered")
})
const routes = [HttpLayerRouter.route("POST", "/order", Access.requireUser(order))]

layer(TestApp.layer(routes))("POST /order", (it) => {
  it.effect("sends a receipt to the user who orders", () =>
    Effect.gen(function* () {
      const user = yield* TestApp.signedInUser()
      expect((yield* user.submit("/order", {})).body).toBe("Ordered")
      const { messagesTo } = yield* CapturedMail.CapturedMail
      expect(yield* messagesTo(user.user.email)).toMatchObject([{ subject: "Your receipt", text: "One cup of tea." }])
    })
  )
})
