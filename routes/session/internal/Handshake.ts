// The WebSocket handshake of a route: which requests are one, and from which pages it may come.
import { type HttpLayerRouter, HttpServerRequest, HttpServerResponse, type Socket } from "@effect/platform"
import { Effect, Option } from "effect"
import * as Authorization from "../../../src/http/internal/Authorization.ts"
import { SessionConfig } from "../../../src/session/internal/SessionConfig.ts"
import * as RequestOrigin from "../../../src/session/internal/RequestOrigin.ts"
import * as RouteOptions from "../../../src/http/internal/RouteOptions.ts"
import * as WebSocket from "../../../src/http/internal/WebSocket.ts"

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
type Refusal = WebSocket.UpgradeRequired | WebSocket.ForeignOrigin
type Needs = HttpServerRequest.HttpServerRequest

/** Who may connect: pages of which origins, and whether the guard of the route takes a bearer. */
interface Rule {
  readonly origins: ReadonlySet<string>
  readonly takesBearer: boolean
}

const isBearer = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  Authorization.read(headers["authorization"])._tag === "Bearer"

// Browsers send the cookies of this site with a handshake from any page, and no preflight. They cannot send a bearer, and a
// guard that takes one reads no cookie beside it.
const isForeign = (request: HttpServerRequest.HttpServerRequest, appUrl: string, { origins, takesBearer }: Rule) => {
  const { cookie, host, origin } = request.headers
  if (takesBearer && isBearer(request)) return false
  if (origin === undefined) return cookie !== undefined
  const source = { origin, host, secFetchSite: request.headers["sec-fetch-site"] }
  return !origins.has(origin) && !RequestOrigin.isOwnOrigin(source, appUrl)
}

/** The handler, behind the check that the request is a handshake, and from a page of our own. */
const checked =
  (rule: Rule) =>
  <E, R>(handler: Handler<E, R>): Handler<E | Refusal, R | Needs> =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (!WebSocket.isHandshake(request.method, request.headers)) return yield* new WebSocket.UpgradeRequired()
      // Without accounts the name that the request is for has to do.
      const settings = yield* Effect.serviceOption(SessionConfig)
      const appUrl = Option.match(settings, { onNone: () => "", onSome: (found) => found.appUrl })
      if (isForeign(request, appUrl, rule)) return yield* new WebSocket.ForeignOrigin()
      return yield* handler
    })

/** The route with the check and these limits. */
export const route =
  (options: WebSocket.WebSocketOptions, takesBearer: boolean) =>
  <E, R>(given: HttpLayerRouter.Route<E, R>): HttpLayerRouter.Route<E | Refusal, R | Needs> => {
    const limits = WebSocket.limitsOf(options)
    const { origins } = limits
    return RouteOptions.add(
      { ...given, handler: checked({ origins, takesBearer })(given.handler) },
      { webSocket: limits }
    )
  }

const isUpgrade = (body: unknown): body is WebSocket.Upgrade<Socket.Socket> => body instanceof WebSocket.Upgrade

/** Performs the handshake on a server that does not know the response. */
export const mounted = <E, R>(handler: Handler<E, R>): Handler<E, R | Needs> =>
  Effect.flatMap(handler, (given) => {
    const { body } = given
    if (body._tag !== "Raw" || !isUpgrade(body.body)) return Effect.succeed(given)
    const { run } = body.body
    return HttpServerRequest.HttpServerRequest.pipe(
      Effect.flatMap(({ upgrade }) => upgrade),
      Effect.flatMap(run),
      Effect.orDie,
      Effect.as(HttpServerResponse.empty())
    )
  })
