// The steps of a request and their order, for every route.
import { type HttpApi, type HttpApiGroup, type HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Context, Effect, Option, pipe } from "effect"
import { AuthConfig } from "../../src/auth/AuthConfig.ts"
import { challenge, defaultRealm } from "../../src/http/internal/Authorization.ts"
import { RequestState } from "../../src/http/internal/RequestState.ts"
import type { NoRoute } from "../../src/server/internal/App.ts"
import type { CorsOptions } from "../../src/server/internal/Cors.ts"
import * as LayoutUser from "../auth/internal/LayoutUser.ts"
import * as Catcher from "../errors/Catcher.ts"
import type { Checked } from "../errors/internal/UnhandledFailure.ts"
import * as MountedSpan from "../observability/internal/MountedSpan.ts"
import * as RequestServices from "../../src/http/internal/RequestServices.ts"
import * as Handshake from "../session/internal/Handshake.ts"
import * as DebugRoutes from "../devtools/internal/DebugRoutes.ts"
import * as RouteOptions from "../../src/http/internal/RouteOptions.ts"
import * as ApiCors from "./internal/ApiCors.ts"
import * as ApiEndpoints from "./internal/ApiEndpoints.ts"
import * as BodyCheck from "../http/internal/BodyCheck.ts"
import * as CsrfGuard from "../session/internal/CsrfGuard.ts"
import * as MountedRoutes from "../http/internal/MountedRoutes.ts"
import * as ResponseHeaders from "../http/internal/ResponseHeaders.ts"
import * as SessionCookie from "../session/internal/SessionCookie.ts"

export type { CorsOptions } from "../../src/server/internal/Cors.ts"

type Route<E, R> = HttpLayerRouter.Route<E, R>
type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

// Read from the bottom: a request enters at the last step and leaves through it.
const outer = <E, R>(handler: Handler<E, R>, options: RouteOptions.RouteOptions = {}) =>
  pipe(handler, BodyCheck.limited(options), Catcher.catching)

// The check lets GET pass anyway: skipped here, it costs nothing.
const checked = <E, R>(method: string, handler: Handler<E, R>): ReturnType<typeof CsrfGuard.checked<E, R>> =>
  method === "GET" ? handler : CsrfGuard.checked(handler)

const inner = <E, R>(method: string, handler: Handler<E, R>) => pipe(checked(method, handler), SessionCookie.committed)

type Routes = ReadonlyArray<Route<unknown, unknown>>
type ErrorOf<Given extends Routes> = HttpLayerRouter.Route.Error<Given[number]>
type ContextOf<Given extends Routes> = HttpLayerRouter.Route.Context<Given[number]>

// A boundary of the type system: a list of different routes is a list of one kind that may fail and need all of theirs.
const united = <Given extends Routes>(routes: Given | Checked<Given>) =>
  routes as ReadonlyArray<Route<ErrorOf<Given>, ContextOf<Given>>>

const handledBy = <E, R>(route: Route<unknown, unknown>, handler: Handler<E, R>): Route<E, R> => ({ ...route, handler })

const asPage = <E, R>(route: Route<E, R>): Route<E, R> => RouteOptions.add(route, { isPage: true })

/** Routes for users and API clients: with a session, and every POST behind the CSRF check. */
export const pages = <const Given extends Routes>(routes: Checked<Given>) =>
  united<Given>(routes).map((route) =>
    asPage(handledBy(route, outer(inner(route.method, route.handler), RouteOptions.of(route))))
  )

const challengeOf = (context: Context.Context<never>, status: number): string | undefined => {
  const known = Option.getOrUndefined(Context.getOption(context, RequestState))?.challenge
  if (known !== undefined || status !== 401) return known
  return challenge(Option.getOrUndefined(Context.getOption(context, AuthConfig))?.realm ?? defaultRealm)
}

// An `HttpApi` encodes the body of a failure, not its headers: adds `WWW-Authenticate` to a 401 that has none, and to a 403 where a guard has set one.
const withChallenge = <E, R>(handler: Handler<E, R>): Handler<E, R> =>
  Effect.flatMap(handler, (response) =>
    (response.status !== 401 && response.status !== 403) || response.headers["www-authenticate"] !== undefined
      ? Effect.succeed(response)
      : Effect.map(Effect.context<never>(), (context) => {
          const line = challengeOf(context, response.status)
          return line === undefined ? response : HttpServerResponse.setHeader(response, "www-authenticate", line)
        })
  )

/** Who may call an API. */
export interface ApiOptions {
  /** The pages of other origins that may call the API from a browser; by default none. */
  readonly cors?: CorsOptions
}

/**
 * The endpoints of an `HttpApi`, whose handlers `ApiHandlers.layer` builds. Session and CSRF check belong to the middleware
 * that accepts the session's cookie, `ApiAuthentication`: an API without it needs no sessions.
 */
export const api = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  given: HttpApi.HttpApi<Id, Groups, E, R>,
  { cors }: ApiOptions = {}
) => {
  const endpoints = ApiEndpoints.routesOf(given).map((route) =>
    RouteOptions.add(
      handledBy(route, outer(pipe(route.handler, withChallenge, SessionCookie.committed), RouteOptions.of(route))),
      { isApi: true }
    )
  )
  if (cors === undefined) return endpoints
  const policy = ApiCors.policyOf(cors)
  const readable = endpoints.map((route) => handledBy(route, ApiCors.readable(policy)(route.handler)))
  return [...readable, ...stateless(ApiCors.preflights(given, policy))]
}

/** Routes for machines, without a session: probes, scrapes, files. They must not change anything. */
export const stateless = <const Given extends Routes>(routes: Checked<Given>) =>
  united<Given>(routes).map((route) => handledBy(route, outer(route.handler, RouteOptions.of(route))))

// No route matches: 404, 405 with the allowed methods, 400 for a malformed path.
const fallback = (miss: NoRoute): Handler<never, Catcher.Services> => {
  switch (miss._tag) {
    case "NotFound":
      return Catcher.status(404)
    case "Malformed":
      return Catcher.status(400)
    case "MethodNotAllowed":
      return Catcher.status(405, { headers: { allow: miss.allow.join(", ") } })
    case "Options":
      return Effect.succeed(HttpServerResponse.empty({ status: 204, headers: { allow: miss.allow.join(", ") } }))
  }
}

const development = stateless(DebugRoutes.routes)

/** The app for `WebServer` and `AppLayer.server`. */
export const app = <const Given extends ReadonlyArray<Route<never, unknown>>>(routes: Given) => ({
  routes: MountedRoutes.linked(united<Given>(routes)),
  services: LayoutUser.services,
  development,
  fallback: (miss: NoRoute) => outer(fallback(miss)),
  head: ResponseHeaders.headerLines,
  failed: Catcher.respond,
  late: Catcher.report
})

const withUser = <E, R>(handler: Handler<E, R>): Handler<E, R> =>
  RequestServices.provideBelow(handler, LayoutUser.services)

/** The same routes for another server: `HttpLayerRouter.addAll(Pipeline.mounted(Pipeline.pages(routes)))`. */
export const mounted = <const Given extends ReadonlyArray<Route<never, unknown>>>(routes: Given) =>
  MountedRoutes.linked(united<Given>(routes)).map((route) =>
    handledBy(
      route,
      pipe(
        route.handler,
        Handshake.mounted,
        ResponseHeaders.withHeaders,
        MountedSpan.masked,
        ResponseHeaders.withRequestState(route.path),
        withUser
      )
    )
  )
