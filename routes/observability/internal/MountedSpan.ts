// The span that Effect's stock server opens for a request has its whole URL and all headers: secrets are masked in it.
import { HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Context, Effect, type Tracer } from "effect"
import * as SecretNames from "../../../src/http/internal/text/SecretNames.ts"
import { RequestState, type State } from "../../../src/http/internal/RequestState.ts"
import * as ServerSpan from "../../../src/observability/internal/ServerSpan.ts"
import * as Tracing from "../../../src/observability/internal/Tracing.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

// The page before may have been the one of a mailed link.
const isSecret = (name: string): boolean => name === "referer" || SecretNames.isSecret(name)

const mask = (span: Tracer.Span, request: HttpServerRequest.HttpServerRequest, state: State): void => {
  const path = ServerSpan.path(state)
  span.attribute("http.route", state.route)
  span.attribute("url.path", path)
  span.attribute("url.full", path)
  if (request.url.includes("?")) span.attribute("url.query", SecretNames.mask)
  for (const name of Object.keys(request.headers)) {
    if (isSecret(name)) span.attribute(`http.request.header.${name}`, SecretNames.mask)
  }
}

type Needs = RequestState | HttpServerRequest.HttpServerRequest

/** Masks the secrets in the current span, and names the account at the end. Without a tracer the handler as it is. */
export const masked = <E, R>(handler: Handler<E, R>): Handler<E, R | Needs> =>
  Effect.flatMap(Tracing.current, (span): Handler<E, R | Needs> => {
    if (span?._tag !== "Span") return handler
    return RequestServices.use((context: Context.Context<Needs>) => {
      const state = Context.get(context, RequestState)
      state.trace = span
      mask(span, Context.get(context, HttpServerRequest.HttpServerRequest), state)
      const identify = Effect.sync(() => {
        if (state.account !== undefined) span.attribute("user.id", state.account)
      })
      return Effect.ensuring(handler, identify)
    })
  })
