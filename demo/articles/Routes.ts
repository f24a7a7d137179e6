// `/articles`: JSON, XML or an HTML page, in both modes.
import { HttpLayerRouter, HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import * as Respond from "../../routes/session/Respond.ts"
import * as Texts from "../../routes/http/Texts.ts"
import * as ListRoute from "../../routes/pagination/ListRoute.ts"
import * as Accept from "../../src/http/Accept.ts"
import { Layout, type User } from "../../src/http/Layout.ts"
import * as Links from "../../src/pagination/Links.ts"
import { DemoTexts } from "../texts/DemoTexts.ts"
import { Articles } from "./Articles.ts"
import * as Listing from "./Listing.ts"
import * as Page from "./Page.ts"

type Response = HttpServerResponse.HttpServerResponse

const mediaTypes = ["application/json", "text/html", "application/xml", "text/xml"] as const

// `ListRoute.respond` negotiates again between JSON and XML, and responds with 406 when the client accepts neither.
const data = Effect.flatMap(Articles, (articles) =>
  ListRoute.respond(articles, undefined, { parameters: Listing.parameters })
)

// The Catcher renders a failure as a page.
const page = <R>(list: Links.ListRequest, user: Effect.Effect<User | undefined, never, R>) =>
  Effect.gen(function* () {
    const wanted = yield* Listing.parameters.decode(list)
    const view = yield* ListRoute.paginate(list, yield* Articles, wanted.selection)
    const layout = yield* Layout
    const person = yield* user
    const language = yield* Texts.language
    const main = Page.main(view, wanted, language)
    const { title } = language.texts(DemoTexts).articles
    if (person === undefined) {
      return Respond.page(layout.page({ title, main, language }), { headers: ListRoute.headers(view) })
    }
    const headers = { ...ListRoute.headers(view), "cache-control": "no-store" }
    return Respond.page(layout.page({ title, main, language, user: person }), { headers })
  })

const noUser: Effect.Effect<User | undefined> = Effect.sync(() => undefined)

type Needs = Articles | Layout | HttpServerRequest.HttpServerRequest

/** The routes; `user` is the signed-in user, shown in the header of the page. */
export const make = <R = never>(user: Effect.Effect<User | undefined, never, R> = noUser) => [
  HttpLayerRouter.route(
    "GET",
    "/articles",
    Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (request): Effect.Effect<Response, ListRoute.ListError, Needs | R> =>
        Accept.preferred(request.headers["accept"], mediaTypes) === "text/html"
          ? page(Links.parse(request.originalUrl), user)
          : data
    )
  )
]
