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

const data = (listing: Either.Either<Listing.Listing, Listing.InvalidListing>, form: Resource.Form) =>
  Either.isLeft(listing)
    ? Effect.succeed(Resource.refuse(form, 400, listing.left.message))
    : Effect.flatMap(Articles, (articles) => Resource.respond(articles, listing.right.selection))

// A refusal is left to the Catcher, which has pages for it.
const page = <R>(
  listing: Either.Either<Listing.Listing, Listing.InvalidListing>,
  viewer: Effect.Effect<Viewer | undefined, never, R>
) =>
  Effect.gen(function* () {
    const asked = yield* listing
    const view = yield* Resource.paginate(yield* Articles, asked.selection)
    const layout = yield* Layout
    const person = yield* viewer
    const shown = layout.page({
      title: "Articles",
      main: Page.main(view, asked),
      width: "wide",
      ...(person === undefined ? {} : { viewer: person })
    })
    return Respond.page(shown, { headers: Resource.headers(view) })
  })

/** The routes; `viewer` is who is signed in, for the frame of the page. */
export const make = <R = never>(viewer: Effect.Effect<Viewer | undefined, never, R> = Effect.succeed(undefined)) => [
  HttpLayerRouter.route(
    "GET",
    "/articles",
    Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (
        request
      ): Effect.Effect<
        Response,
        Listing.InvalidListing | Resource.Refusal,
        Articles | Layout | R | HttpServerRequest.HttpServerRequest
      > => {
        const listing = Listing.read(Links.parse(request.originalUrl).foreign)
        const form = Accept.preferred(request.headers["accept"], forms)
        return form === "text/html" ? page(listing, viewer) : data(listing, form ?? "application/json")
      }
    )
  )
]
