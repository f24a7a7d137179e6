// The e-mail that confirms an order, in the language of the customer.
import { Effect, Redacted } from "effect"
import { Html, type Languages } from "effect-framework/http"
import { MailMessage } from "effect-framework/mail"
import { money, type Product } from "./Products.ts"
import { ShopTexts } from "./Texts.ts"

interface Recipient {
  readonly email: string
  readonly name: string
}

export const make = (to: Recipient, { name, price }: Product, quantity: number, language: Languages.Language) =>
  Effect.gen(function* () {
    const { confirmation } = language.texts(ShopTexts)
    const text = confirmation.text(to.name, quantity, name, money(price * quantity, language))
    return new MailMessage.MailMessage({
      to: yield* MailMessage.parseAddress(to.email),
      subject: MailMessage.Line.make(confirmation.subject(name)),
      text: Redacted.make(`${text}\n`),
      html: Redacted.make(Html.html`<p>${text}</p>`.markup)
    })
    // The address is that of an account.
  }).pipe(Effect.orDie)
