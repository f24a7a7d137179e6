import { Effect, Layer, Redacted } from "effect"
import { Html } from "effect-framework/http"
import { Mailer, MailMessage } from "effect-framework/mail"

const welcome = (email: string, name: string) =>
  Effect.map(
    MailMessage.parseAddress(email),
    (to) =>
      new MailMessage.MailMessage({
        to,
        subject: MailMessage.Line.make("Welcome"),
        text: Redacted.make(`Hello ${name}\n`),
        html: Redacted.make(Html.html`<p>Hello ${name}</p>`.markup)
      })
  )

const consoleMailer = Layer.succeed(
  Mailer.Mailer,
  Mailer.fromSend((message) => Effect.sync(() => console.log(`${message.to}: ${Redacted.value(message.html)}`)))
)

const program = Effect.gen(function* () {
  yield* Mailer.sendOrLog(welcome("ann@example.com", "Ann & Co"))
  yield* Mailer.sendOrLog(welcome("ann@example.com\r\nBcc: eve@example.com", "Eve"))
})

await Effect.runPromise(Effect.provide(program, consoleMailer))
