// Failures that implement `HttpServerRespondable` of @effect/platform: the program's own responses.
import { HttpServerError, HttpServerRespondable, type HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import * as ErrorResponse from "../../../src/http/internal/ErrorResponse.ts"
import * as Preview from "../../../src/errors/internal/Preview.ts"

type Response = HttpServerResponse.HttpServerResponse

// Each check is guarded: a thrown value may be a proxy that throws when it is inspected.

/** Whether a failure is one of the HTTP server's own errors, such as `RouteNotFound`. */
export const isServerError = (failure: unknown): failure is HttpServerError.HttpServerError =>
  Preview.read(() => HttpServerError.isServerError(failure)) === true

/** Whether a failure of the program has its own response, or is one. */
export const isRespondable = (failure: unknown): failure is HttpServerRespondable.Respondable =>
  Preview.read(() => HttpServerRespondable.isRespondable(failure) && !isServerError(failure)) === true

/** The response of a failure. What goes wrong while it is made is a defect. */
export const toResponse = (failure: HttpServerRespondable.Respondable): Effect.Effect<Response> =>
  Effect.suspend(() => HttpServerRespondable.toResponse(failure))

// => "" for an empty body, `undefined` for a body in a format of the program's choice
const plainText = ({ body, headers }: Response): string | undefined => {
  if (body._tag === "Empty") return ""
  const contentType = headers["content-type"] ?? body.contentType ?? ""
  if (!/^text\/plain\b/i.test(contentType)) return undefined
  if (body._tag === "Uint8Array") return new TextDecoder().decode(body.body)
  return body._tag === "Raw" && typeof body.body === "string" ? body.body : undefined
}

/**
 * The status, text and headers of a response that is rendered for the client. `undefined` for one that is sent as it is:
 * a status below 400, or a body that is neither empty nor plain text.
 */
export const toErrorResponse = (response: Response): ErrorResponse.ErrorResponse | undefined => {
  const text = response.status < 400 ? undefined : plainText(response)
  if (text === undefined) return undefined
  const { "content-length": _length, "content-type": _type, ...headers } = response.headers
  return ErrorResponse.of(response.status, text === "" ? { headers } : { headers, message: text })
}
