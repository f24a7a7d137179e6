// `/articles`: JSON, XML or an HTML page, in both modes.
import { HttpLayerRouter, HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import * as Respond from "../../routes/http/Respond.ts"
import * as Texts from "../../routes/http/Texts.ts"
import * as Resource from "../../routes/pagination/Resource.ts"
import * as Accept from "../../src/http/Accept.ts"
import { Layout, type Viewer } from "../../src/http/Layout.ts"
import * as Links from "../../src/pagination/Links.ts"
import { DemoTexts } from "../texts/DemoTexts.ts"
import { Articles } from "./Articles.ts"
import * as Listing from "./Listing.ts"
import * as Page from "./Page.ts"

type Response = HttpServerResponse.HttpServerResponse

const mediaTypes = ["application/json", "text/html", "application/xml", "text/xml"] as const

// `Resource.respond` negotiates again between JSON and XML, and responds with 406 when the client accepts neither.
const data = Effect.flatMap(Articles, (articles) =>
  Resource.respond(articles, undefined, { parameters: Listing.parameters })
)

// The Catcher renders a failure as a page.
const page = <R>(list: Links.ListRequest, viewer: Effect.Effect<Viewer | undefined, never, R>) =>
  Effect.gen(function* () {
    const wanted = yield* Listing.parameters.read(list)
    const view = yield* Resource.paginate(list, yield* Articles, wanted.selection)
    const layout = yield* Layout
    const person = yield* viewer
    const language = yield* Texts.language
    const main = Page.main(view, wanted, language)
    const { title } = language.texts(DemoTexts).articles
    if (person === undefined) {
      return Respond.page(layout.page({ title, main, language }), { headers: Resource.headers(view) })
    }
    const headers = { ...Resource.headers(view), "cache-control": "no-store" }
    return Respond.page(layout.page({ title, main, language, viewer: person }), { headers })
  })

const noViewer: Effect.Effect<Viewer | undefined> = Effect.sync(() => undefined)

type Needs = Articles | Layout | HttpServerRequest.HttpServerRequest

/** The routes; `viewer` is the signed-in user, shown in the header of the page. */
export const make = <R = never>(viewer: Effect.Effect<Viewer | undefined, never, R> = noViewer) => [
  HttpLayerRouter.route(
    "GET",
    "/articles",
    Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (request): Effect.Effect<Response, Resource.ListError, Needs | R> =>
        Accept.preferred(request.headers["accept"], mediaTypes) === "text/html"
          ? page(Links.parse(request.originalUrl), viewer)
          : data
    )
  )
]
