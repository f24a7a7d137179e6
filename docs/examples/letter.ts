import { Effect, Layer, Redacted } from "effect"
import { Html } from "effect-framework/http"
import { Mailer, MailMessage } from "effect-framework/mail"

const welcome = (email: string, name: string) =>
  Effect.map(
    MailMessage.address(email),
    (to) =>
      new MailMessage.MailMessage({
        to,
        subject: MailMessage.Line.make("Welcome"),
        text: Redacted.make(`Hello ${name}\n`),
        html: Redacted.make(Html.html`<p>Hello ${name}</p>`.markup)
      })
  )

const printing = Layer.succeed(
  Mailer.Mailer,
  Mailer.direct((letter) => Effect.sync(() => console.log(`${letter.to}: ${Redacted.value(letter.html)}`)))
)

const program = Effect.gen(function* () {
  yield* Mailer.post(welcome("ann@example.com", "Ann & Co"))
  yield* Mailer.post(welcome("ann@example.com\r\nBcc: eve@example.com", "Eve"))
})

await Effect.runPromise(Effect.provide(program, printing))
