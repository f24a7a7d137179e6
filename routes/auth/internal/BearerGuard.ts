// Finds the account by the `Authorization` header.
import { HttpServerRequest } from "@effect/platform"
import { Context, Effect, type Option, Predicate, Redacted } from "effect"
import * as Authorization from "../../../src/http/internal/Authorization.ts"
import type { Identity } from "../../../src/session/Identity.ts"
import { Sessions } from "../../../src/session/Session.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import type * as SessionCookie from "../../session/internal/SessionCookie.ts"

/** The header of this request. */
export const authorizationOf = ({
  headers,
  source
}: HttpServerRequest.HttpServerRequest): Authorization.Authorization =>
  Authorization.read(
    headers["authorization"],
    Predicate.hasProperty(source, "rawHeaders") ? source.rawHeaders : undefined
  )

/** The account of the session with this secret. The session of the request is that one from here on. */
export const sessionOf = (text: string): Effect.Effect<Option.Option<Identity>, never, SessionCookie.Needs> =>
  Effect.contextWithEffect((services: Context.Context<SessionCookie.Needs>) => {
    const { headers } = Context.get(services, HttpServerRequest.HttpServerRequest)
    const exchange = Context.get(services, RequestState)
    return Context.get(services, Sessions).attachBearer(exchange, headers, Redacted.make(text)).identity
  })

/** Nobody, and a session of nobody for the rest of the request. */
export const nobody = sessionOf("")
