// Refuses bodies that are declared too long, before they are read.
import { HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Context, type Effect } from "effect"
import { BodyTooLarge } from "../../../src/http/BodyError.ts"
import { defaultLimit } from "../../../src/http/internal/RouteOptions.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import * as RouteOptions from "../../../src/http/internal/RouteOptions.ts"
import * as MediaType from "../../../src/http/internal/text/MediaType.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"

type Services = RequestState | HttpServerRequest.HttpServerRequest
type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** The handler, behind the limit: a declared length is refused at once, an undeclared one as soon as it is too long. */
export const limited =
  (options: RouteOptions.RouteOptions) =>
  <E, R>(handler: Handler<E, R>): Handler<E | BodyTooLarge, R | Services> => {
    const { bodyLimit: limit = defaultLimit, multipart = false } = options
    const hasOptions = Object.keys(options).length > 0
    return RequestServices.use((services: Context.Context<Services>): Handler<E | BodyTooLarge, R | Services> => {
      if (hasOptions) RouteOptions.attach(Context.get(services, RequestState), options)
      const { headers } = Context.get(services, HttpServerRequest.HttpServerRequest)
      // An upload that is too long gets its form again: `Upload.read` refuses it, before it reads a file.
      return Number(headers["content-length"]) > limit && !(multipart && isMultipart(headers["content-type"]))
        ? new BodyTooLarge({ limit })
        : handler
    })
  }

/** Whether a body is a form with files. */
export const isMultipart = (contentType: string | undefined): boolean =>
  MediaType.of(contentType) === "multipart/form-data"
