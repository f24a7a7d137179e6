import { HttpLayerRouter } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { AuthTexts } from "effect-framework/auth"
import { DefaultLayout, HttpTexts, Html, Languages } from "effect-framework/http"
import { MailTemplates, MailTexts } from "effect-framework/mail"
import { Page } from "effect-framework/routes/session"
import { Texts } from "effect-framework/routes/http"
import { CapturedMail, TestApp } from "effect-framework/testing"

// The program's own sentences, with English as their default.
class ShopTexts extends Context.Reference<ShopTexts>()("shop/Texts", {
  defaultValue: () => ({ title: "Our tea", cups: (count: number) => (count === 1 ? "1 cup" : `${count} cups`) })
}) {}

// Some sentences of the framework in the words of this program.
const wording = Layer.mergeAll(
  Layer.succeed(AuthTexts.AuthTexts, {
    ...AuthTexts.english,
    login: { ...AuthTexts.english.login, done: "The kettle is on!" }
  }),
  Layer.succeed(MailTexts.MailTexts, {
    ...MailTexts.english,
    verification: { ...MailTexts.english.verification, subject: (app) => `Welcome to ${app}` }
  })
)

// E-mails with a greeting above the text of the framework.
const templates = Layer.succeed(MailTemplates.MailTemplates, {
  render: (mail) => {
    const { html, subject, text } = MailTemplates.render(mail)
    return { subject, html, text: `${mail.app}\n\n${text}` }
  }
})

// Another language: a complete catalogue replaces each English one. Here only the layout and the shop have one.
const dutch = Layer.mergeAll(
  Layer.succeed(HttpTexts.HttpTexts, {
    ...HttpTexts.english,
    layout: { ...HttpTexts.english.layout, signIn: "Aanmelden", signUp: "Registreren" }
  }),
  Layer.succeed(ShopTexts, { title: "Onze thee", cups: (count) => (count === 1 ? "1 kopje" : `${count} kopjes`) })
)

const layout = DefaultLayout.layer({
  name: "Tea Shop",
  links: ({ texts }) => [{ href: "/tea", text: texts(ShopTexts).title }],
  footer: ({ tag }) => Html.html`${tag}`
})

const services = Layer.mergeAll(layout, wording, templates, Languages.layer({ en: Layer.empty, nl: dutch }))

const tea = Effect.gen(function* () {
  const { cups, title } = yield* Texts.of(ShopTexts)
  return yield* Page.render({ title, main: Html.html`<h1>${title}</h1><p>${cups(3)}</p>` })
})

layer(TestApp.layer([HttpLayerRouter.route("GET", "/tea", tea)], { services }))("the tea shop", (it) => {
  it.effect("speaks the language of its visitor", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const read = (language: string) => guest.request("/tea", { headers: { "accept-language": language } })
      expect((yield* read("nl-BE, en;q=0.5")).text).toBe(
        "Skip to content Tea Shop Onze thee Aanmelden Registreren Onze thee 3 kopjes nl"
      )
      expect((yield* read("fr")).text).toBe("Skip to content Tea Shop Our tea Sign in Sign up Our tea 3 cups en")
    })
  )

  it.effect("has its own words and its name in its e-mails", () =>
    Effect.gen(function* () {
      const { messagesTo } = yield* CapturedMail.CapturedMail
      const guest = yield* TestApp.guest
      const password = "quiet harbour"
      yield* guest.submit("/register", { email: "ann@example.com", password, password_confirmation: password })
      const [message] = yield* messagesTo("ann@example.com")
      expect(message?.subject).toBe("Welcome to Tea Shop")
      expect(message?.text).toMatch(/^Tea Shop\n\nAn account at Tea Shop was opened/)
      const user = yield* TestApp.enrolledUser()
      const other = yield* TestApp.guest
      yield* other.submit("/login", { email: user.email, password: user.password })
      expect((yield* other.follow("/account")).text).toContain("The kettle is on!")
    })
  )
})
