// The first page: what this is, and where to go.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { guestOnly } from "../routes/auth/Access.ts"
import * as Reply from "../routes/auth/Reply.ts"
import { type Html, html } from "../src/http/Html.ts"
import * as Account from "./Account.ts"

const card = (title: string, text: Html, links: ReadonlyArray<readonly [href: string, text: string]>): Html =>
  html`<section class="card">
    <h2>${title}</h2>
    <p>${text}</p>
    <p class="row">${links.map(([href, text]) => html`<a href="${href}">${text}</a>`)}</p>
  </section>`

const page = {
  title: "Welcome",
  width: "wide" as const,
  main: html`<h1>A web framework for Effect, running</h1>
    <p class="lead">
      Authentication, observability, error handling and pagination as Effect layers. Everything on this site is the
      framework at work: look around, break it, read its metrics.
    </p>
    <p class="row">
      <a class="button" href="/register">Sign up</a>
      <a class="button quiet" href="/login">Sign in</a>
    </p>
    <div class="grid two">
      ${card(
        "Accounts",
        html`Sign up with any address, or sign in as <code>${Account.email}</code> with the password
          <code>${Redacted.value(Account.password)}</code>. E-mails are files in the storage folder unless a mail
          server is set.`,
        [["/login", "Sign in"]]
      )}
      ${card("Articles", html`A thousand of them, by page or by cursor, as a page, as JSON or as XML.`, [
        ["/articles", "Read the articles"]
      ])}
      ${card("Metrics", html`What all workers together have done, for Prometheus or as JSON.`, [
        ["/metrics", "See the metrics"],
        ["/health", "Ask for its health"]
      ])}
      ${card("Errors", html`A route that fails on purpose shows what a visitor sees, and what a developer sees.`, [
        ["/error", "See it fail"]
      ])}
    </div>`
}

export const routes = [HttpLayerRouter.route("GET", "/", guestOnly(Reply.render(Effect.succeed(page))))]
