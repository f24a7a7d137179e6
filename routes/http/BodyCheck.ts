// Refuses bodies that are too long or malformed, before and while they are read.
import { HttpServerError, HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import {
  type BodyError,
  BodyTooLarge,
  MalformedBody,
  TooManyParts,
  UnsupportedMediaType
} from "../../src/http/BodyError.ts"
import { defaultLimit } from "../../src/http/BodyLimit.ts"
import { Exchange } from "../../src/http/Exchange.ts"
import { english, HttpTexts, type Texts } from "../../src/http/HttpTexts.ts"
import * as RouteOptions from "../../src/http/RouteOptions.ts"
import * as Catcher from "../errors/Catcher.ts"
import type * as StatusResponse from "../errors/StatusResponse.ts"
import type { Services } from "../errors/CatcherServices.ts"

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

const isTooLarge = (failure: unknown): boolean =>
  failure instanceof BodyTooLarge ||
  failure instanceof TooManyParts ||
  (failure instanceof HttpServerError.RequestError && failure.cause instanceof BodyTooLarge)

const mediaType: StatusResponse.Message = ({ texts }) => texts(HttpTexts).refusal.mediaType

const reasons: Readonly<Record<string, keyof Texts["body"] | undefined>> = Object.fromEntries(
  (["notUtf8", "notJson", "endedEarly", "unknownFile", "noBoundary"] as const).map((key) => [english.body[key], key])
)

const reasonOf = ({ reason }: MalformedBody): StatusResponse.Message => {
  const key = reasons[reason]
  return key === undefined ? reason : ({ texts }) => texts(HttpTexts).body[key]
}

const refuse = <E>(failure: E): Handler<Exclude<E, BodyError>, Services> => {
  if (isTooLarge(failure)) return Catcher.status(413)
  if (failure instanceof MalformedBody) return Catcher.status(400, { message: reasonOf(failure) })
  if (failure instanceof UnsupportedMediaType) return Catcher.status(415, { message: mediaType })
  // A boundary of the type system: the four classes above are all members of `BodyError`.
  return Effect.fail(failure as Exclude<E, BodyError>)
}

/** The handler, behind the limit: a declared length is refused at once, an undeclared one as soon as it is too long. */
export const limited =
  (options: RouteOptions.RouteOptions) =>
  <E, R>(
    handler: Handler<E, R>
  ): Handler<Exclude<E, BodyError>, R | Exchange | Services | HttpServerRequest.HttpServerRequest> => {
    const responding = Effect.catchAll(handler, refuse)
    const refused = Catcher.status(413)
    const { bodyLimit: limit = defaultLimit, multipart = false } = options
    const checked = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
      // An upload that is too long gets its form again: `Upload.read` refuses it, before it reads a file.
      Number(headers["content-length"]) > limit && !(multipart && isMultipart(headers["content-type"]))
        ? refused
        : responding
    )
    if (Object.keys(options).length === 0) return checked
    return Effect.flatMap(Exchange, (exchange) => {
      RouteOptions.attach(exchange, options)
      return checked
    })
  }

/** Whether a body is a form with files. */
export const isMultipart = (contentType: string | undefined): boolean =>
  (contentType?.split(";", 1)[0] ?? "").trim().toLowerCase() === "multipart/form-data"
