// The app that the server runs: routes of @effect/platform, and the services that the server gives to each request.
import type { HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import type { Scope } from "effect"
import type { App } from "../../../src/server/internal/App.ts"
import type { OpenStreams } from "../../../src/http/internal/OpenStreams.ts"
import type { RequestState } from "../../../src/http/internal/RequestState.ts"

/** The services that the server provides to every request. */
export type Provided =
  | HttpServerRequest.HttpServerRequest
  | HttpServerRequest.ParsedSearchParams
  | HttpLayerRouter.RouteContext
  | Scope.Scope
  | RequestState
  | OpenStreams

/** The result of `Pipeline.app`. */
export type HttpApp<R> = App<HttpLayerRouter.Route<never, R>, HttpServerResponse.HttpServerResponse, R>
