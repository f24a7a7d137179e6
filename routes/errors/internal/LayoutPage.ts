// The page of a status in the program's own layout, for the routes that people open.
import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import { Context, Effect, Option } from "effect"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import { html } from "../../../src/http/Html.ts"
import { HttpTexts } from "../../../src/http/HttpTexts.ts"
import type { Language } from "../../../src/http/Languages.ts"
import { Layout, type User } from "../../../src/http/Layout.ts"
import { CurrentUser } from "../../../src/http/internal/CurrentUser.ts"
import * as RouteOptions from "../../../src/http/internal/RouteOptions.ts"

type Services = Context.Context<RequestState | HttpServerRequest.HttpServerRequest>

// A path without a route was perhaps mistyped by a person.
const isForPeople = (services: Services): boolean =>
  Option.match(Context.getOption(services, HttpLayerRouter.RouteContext), {
    onNone: () => true,
    onSome: ({ route }) => RouteOptions.of(route).isPage === true
  })

// The session may be what failed: then the page is the one of a guest. Without a cookie there is no session to read: a flood
// of unknown paths needs no fiber and no timer for each.
const userOf = (services: Services, status: number): Effect.Effect<User | undefined> => {
  const { headers } = Context.get(services, HttpServerRequest.HttpServerRequest)
  if (status === 503 || headers["cookie"] === undefined) return Effect.succeed(undefined)
  const inTime = Effect.timeoutOption(Context.get(services, CurrentUser)(services), "1 second")
  return Effect.catchAllCause(Effect.map(inTime, Option.getOrUndefined), () => Effect.succeed(undefined))
}

/** The page; `None` for a machine's route, and for a program without a layout. */
export const render = (
  services: Services,
  status: number,
  message: string,
  language: Language
): Effect.Effect<Option.Option<string>> => {
  const layout = Context.getOption(services, Layout)
  if (Option.isNone(layout) || !isForPeople(services)) return Effect.succeedNone
  const texts = language.texts(HttpTexts).layout
  return Effect.map(userOf(services, status), (user) => {
    const main = html`<p class="status">${status}</p>
      <h1>${message}</h1>
      <p><a href="/">${texts.home}</a></p>
      <p class="hint">${texts.requestId(Context.get(services, RequestState).id)}</p>`
    const title = `${status} ${message}`
    return Option.some(layout.value.page({ title, main, width: "narrow", language, ...(user && { user }) }).markup)
  })
}
