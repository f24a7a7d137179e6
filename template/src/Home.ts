// The first page.
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import { Html } from "effect-framework/http"
import { Page, Respond } from "effect-framework/routes/session"

const { html } = Html

const guest = html`<p class="lead">Sign up, then keep <a href="/notes">notes</a> that only you can read.</p>
  <p class="row">
    <a class="button" href="/register">Sign up</a>
    <a class="button quiet" href="/login">Sign in</a>
  </p>`

const user = (email: string) =>
  html`<p class="lead">You are signed in as ${email}.</p>
    <p class="row"><a class="button" href="/notes">Your notes</a></p>`

const page = Effect.map(Page.user, (signedIn) => ({
  title: "Welcome",
  width: "wide" as const,
  main: html`<h1>Welcome to my-app</h1>
    ${signedIn === undefined ? guest : user(signedIn.email)}
    <p class="faint">For operators: <a href="/metrics">metrics</a>, <a href="/health">health</a>. For programs: <a href="/api/docs">the API</a>.</p>`
}))

export const routes = [HttpLayerRouter.route("GET", "/", Respond.render(page))]
