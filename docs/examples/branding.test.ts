import { HttpLayerRouter } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Asset, Html, Layout } from "effect-framework/http"
import { Assets } from "effect-framework/routes/http"
import { Page } from "effect-framework/routes/session"
import { Pipeline } from "effect-framework/routes/server"
import { TestApp } from "effect-framework/testing"

const { html } = Html

const style = Asset.make("/brand.css", "text/css; charset=utf-8", "body { font-family: Georgia, serif }")

const account = (user: Layout.User | undefined) =>
  user === undefined
    ? html`<a href="/login">Sign in</a>`
    : html`<a href="/account">${user.email}</a>
        <form method="post" action="/logout">
          <input type="hidden" name="_token" value="${user.token}" /><button>Sign out</button>
        </form>`

// Every page of the framework and of the program, and the name in e-mails.
const layout = Layer.succeed(Layout.Layout, {
  name: "The Inn",
  page: ({ language, main, notices = [], title, user }) =>
    html`<!doctype html>
      <html lang="${language?.tag ?? "en"}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title} at The Inn</title>
          <link rel="stylesheet" href="${style.href}" />
        </head>
        <body>
          <header><a href="/">The Inn</a> ${account(user)}</header>
          <main>${notices.map(({ text }) => html`<p role="status">${text}</p>`)} ${main}</main>
        </body>
      </html>`
})

const rooms = Page.render({ title: "Rooms", main: html`<h1>Rooms</h1>` })
const pages = [HttpLayerRouter.route("GET", "/rooms", rooms)]
const routes = Pipeline.stateless(Assets.routes([style]))

layer(TestApp.layer(pages, { routes, services: layout }))("The layout", (it) => {
  it.effect("is around the pages of the framework as well", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      expect((yield* guest.get("/rooms")).text).toContain("The Inn Sign in Rooms")
      const form = yield* guest.get("/login")
      expect(form.body).toContain("<title>Sign in at The Inn</title>")
      expect((yield* guest.get(style.href)).headers.get("content-type")).toBe("text/css; charset=utf-8")
    })
  )
})
