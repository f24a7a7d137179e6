// The first page.
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import { Html } from "effect-framework/http"
import { Reply } from "effect-framework/routes/auth"

const { html } = Html

const page = {
  title: "Welcome",
  width: "wide" as const,
  main: html`<h1>Welcome to my-app</h1>
    <p class="lead">Sign up, then keep <a href="/notes">notes</a> that only you can read.</p>
    <p class="faint">For operators: <a href="/metrics">metrics</a>, <a href="/health">health</a>.</p>`
}

export const routes = [HttpLayerRouter.route("GET", "/", Reply.render(Effect.succeed(page)))]
