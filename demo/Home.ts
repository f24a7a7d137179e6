// The first page: what this is, and where to go.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { requireGuest } from "../routes/auth/Access.ts"
import * as Respond from "../routes/session/Respond.ts"
import * as Texts from "../routes/http/Texts.ts"
import { type Html, html } from "../src/http/Html.ts"
import { HttpTexts } from "../src/http/HttpTexts.ts"
import * as Account from "./Account.ts"
import { DemoTexts } from "./texts/DemoTexts.ts"

const card = (title: string, text: Html | string, links: ReadonlyArray<readonly [href: string, text: string]>): Html =>
  html`<section class="card">
    <h2>${title}</h2>
    <p>${text}</p>
    <p class="row">${links.map(([href, text]) => html`<a href="${href}">${text}</a>`)}</p>
  </section>`

const page = Effect.map(Texts.language, ({ texts }) => {
  const { home } = texts(DemoTexts)
  const { signIn, signUp } = texts(HttpTexts).layout
  const [before, between, after] = home.accountsText
  return {
    title: home.title,
    width: "wide" as const,
    main: html`<h1>${home.heading}</h1>
      <p class="lead">${home.lead}</p>
      <p class="row">
        <a class="button" href="/register">${signUp}</a>
        <a class="button quiet" href="/login">${signIn}</a>
      </p>
      <div class="grid two">
        ${card(
          home.accounts,
          html`${before}<code>${Account.email}</code>${between}<code>${Redacted.value(Account.password)}</code>${after}`,
          [["/login", signIn]]
        )}
        ${card(home.articles, home.articlesText, [
          ["/articles", home.articlesLink],
          ["/api/docs", home.apiLink]
        ])}
        ${card(home.metrics, home.metricsText, [
          ["/metrics", home.metricsLink],
          ["/health", home.healthLink]
        ])}
        ${card(home.errors, home.errorsText, [["/error", home.errorsLink]])}
      </div>`
  }
})

export const routes = [HttpLayerRouter.route("GET", "/", requireGuest(Respond.render(page)))]
