// The page at `/` of a program that has none: it leads to sign-up and sign-in, or to the account.
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import * as AuthPaths from "../routes/auth/internal/AuthPaths.ts"
import * as Page from "../routes/session/Page.ts"
import * as Reply from "../routes/session/Reply.ts"
import * as Texts from "../routes/http/Texts.ts"
import { html } from "../src/http/Html.ts"
import { HttpTexts } from "../src/http/HttpTexts.ts"

const page = Effect.fn("Home.page")(function* (name: string) {
  const { layout } = yield* Texts.of(HttpTexts)
  const viewer = yield* Page.viewer
  const links =
    viewer === undefined
      ? html`<a class="button" href="/register">${layout.signUp}</a>
          <a class="button quiet" href="${AuthPaths.signIn}">${layout.signIn}</a>`
      : html`<a class="button" href="${AuthPaths.home}">${layout.account}</a>`
  return {
    title: name,
    width: "wide" as const,
    main: html`<h1>${name}</h1>
      <p class="row">${links}</p>`
  }
})

/** The page of the program with this name. */
export const routes = (name: string) => [HttpLayerRouter.route("GET", "/", Reply.render(page(name)))]
