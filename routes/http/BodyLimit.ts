// Refuses bodies that are too long or not what they say, before and while they are read.
import { HttpServerError, HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { limit, Malformed, TooLarge, Unsupported } from "../../src/http/Body.ts"
import type { Exchange } from "../../src/http/Exchange.ts"
import * as Catcher from "../errors/Catcher.ts"
import type { Unreadable } from "./Body.ts"

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

const isTooLarge = (failure: unknown): boolean =>
  failure instanceof TooLarge || (failure instanceof HttpServerError.RequestError && failure.cause instanceof TooLarge)

const refuse = <E>(failure: E): Handler<Exclude<E, Unreadable>, Catcher.Needs> => {
  if (isTooLarge(failure)) return Catcher.answer(413)
  if (failure instanceof Malformed) return Catcher.answer(400, { message: failure.message })
  if (failure instanceof Unsupported) return Catcher.answer(415, { message: failure.message })
  // A boundary of the type system: the three classes above are all of `Unreadable`.
  return Effect.fail(failure as Exclude<E, Unreadable>)
}

/** The handler, behind the limit: a declared length is refused at once, an undeclared one as soon as it is too long. */
export const limited = <E, R>(
  handler: Handler<E, R>
): Handler<Exclude<E, Unreadable>, R | Exchange | Catcher.Needs | HttpServerRequest.HttpServerRequest> => {
  const answered = Effect.catchAll(handler, refuse)
  const refused = Catcher.answer(413)
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    Number(request.headers["content-length"]) > limit ? refused : answered
  )
}
