// `/articles`: JSON and XML for programs, a page for people, in both modes.
import { HttpLayerRouter, HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Effect, Either } from "effect"
import * as Respond from "../../routes/http/Respond.ts"
import * as Resource from "../../routes/pagination/Resource.ts"
import * as Accept from "../../src/http/Accept.ts"
import { Layout, type Viewer } from "../../src/http/Layout.ts"
import * as Links from "../../src/pagination/Links.ts"
import { Articles } from "./Articles.ts"
import * as Listing from "./Listing.ts"
import * as Page from "./Page.ts"

type Response = HttpServerResponse.HttpServerResponse

const forms = ["application/json", "text/html", "application/xml", "text/xml"] as const

type Asking = Either.Either<Listing.Listing, Listing.InvalidListing>

const data = (
  form: Resource.MediaType,
  asked: Links.ListRequest,
  listing: Asking
): Effect.Effect<Response, never, Articles> =>
  Either.isLeft(listing)
    ? Effect.succeed(Resource.refuse(form, 400, listing.left.message))
    : Effect.flatMap(Articles, (articles) => Resource.answer(form, asked, articles, listing.right.selection))

// A refusal is left to the Catcher, which has pages for it.
const page = <R>(asked: Links.ListRequest, listing: Asking, viewer: Effect.Effect<Viewer | undefined, never, R>) =>
  Effect.gen(function* () {
    const wanted = yield* listing
    const view = yield* Resource.paginate(asked, yield* Articles, wanted.selection)
    const layout = yield* Layout
    const person = yield* viewer
    const main = Page.main(view, wanted)
    if (person === undefined) {
      return Respond.page(layout.page({ title: "Articles", main }), { headers: Resource.headers(view) })
    }
    const headers = { ...Resource.headers(view), "cache-control": "no-store" }
    return Respond.page(layout.page({ title: "Articles", main, viewer: person }), { headers })
  })

const nobody: Effect.Effect<Viewer | undefined> = Effect.sync(() => undefined)

/** The routes; `viewer` is who is signed in, for the frame of the page. */
export const make = <R = never>(viewer: Effect.Effect<Viewer | undefined, never, R> = nobody) => [
  HttpLayerRouter.route(
    "GET",
    "/articles",
    Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (request): Effect.Effect<Response, Listing.InvalidListing | Resource.ListError, Articles | Layout | R> => {
        const form = Accept.preferred(request.headers["accept"], forms)
        if (form === undefined) return Effect.succeed(Resource.notAcceptable())
        const asked = Links.parse(request.originalUrl)
        const listing = Listing.read(asked.otherParams)
        return form === "text/html" ? page(asked, listing, viewer) : data(form, asked, listing)
      }
    )
  )
]
