// The endpoints of an `HttpApi` are known before its handlers are built: they become routes like any other, which find their
// handlers when a request comes.
import {
  HttpApi,
  type HttpApiGroup,
  HttpLayerRouter,
  type HttpServerRequest,
  type HttpServerResponse
} from "@effect/platform"
import { Context, Effect, Option, type Schema } from "effect"
import * as RouteOptions from "../../../src/http/internal/RouteOptions.ts"
import type { WebSocketOptions } from "../../../src/http/internal/WebSocket.ts"
import type * as ApiDecoding from "../../http/internal/api/ApiDecoding.ts"
import * as Handshake from "../../session/internal/Handshake.ts"
import * as WebSockets from "../../session/WebSockets.ts"

/** The handlers of the API with this identifier, as `ApiHandlers.layer` builds them. */
export interface ApiHandlers<Id extends string> {
  readonly _: unique symbol
  readonly id: Id
}

export type Handler = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>

type Handlers = ReadonlyMap<string, Handler>

type Target = Parameters<typeof HttpLayerRouter.route>

interface Endpoint {
  readonly key: string
  /** How it decodes a request. */
  readonly declared: ApiDecoding.Endpoint
  /** The errors of the endpoint, of its group and of its API. */
  readonly errors: ReadonlyArray<Schema.Schema.Any>
  readonly method: Target[0]
  readonly path: Target[1]
  readonly isMultipart: boolean
  readonly webSocket: WebSocketOptions | undefined
  /** Whether people manage their own account by it. */
  readonly isAccount: boolean
}

/** What an endpoint is found by. */
export const keyOf = (method: string, path: string): string => `${method} ${path}`

/** The endpoints of all groups. */
export const endpointsOf = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
): ReadonlyArray<Endpoint> => {
  const endpoints: Array<Endpoint> = []
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group, mergedAnnotations, payloads }) => {
      const { method, path } = endpoint
      const isMultipart = [...payloads.keys()].some((contentType) => contentType.startsWith("multipart/"))
      // A boundary: routers accept a path without its type, and HEAD.
      const target = { method: method as Target[0], path: path as Target[1] }
      const webSocket = Option.getOrUndefined(Context.getOption(mergedAnnotations, WebSockets.Endpoint))
      const isAccount = Option.isSome(Context.getOption(mergedAnnotations, RouteOptions.IsAccount))
      // A boundary: no type of Effect is that of every API.
      const errors = [endpoint, group, api].map((part) => part.errorSchema as Schema.Schema.Any)
      endpoints.push({
        key: keyOf(method, path),
        declared: endpoint,
        errors,
        ...target,
        isMultipart,
        webSocket,
        isAccount
      })
    }
  })
  return endpoints
}

/** By the endpoints, which no two APIs of a program share: the value of an API does not have its identifier. */
export const tagOf = <Id extends string>(endpoints: ReadonlyArray<Endpoint>) =>
  Context.GenericTag<ApiHandlers<Id>, Handlers>(
    `effect-framework/server/ApiHandlers/${endpoints.map(({ key }) => key).join()}`
  )

/** The routes of the endpoints; `ApiHandlers.layer` builds what they run. */
export const routesOf = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
): ReadonlyArray<HttpLayerRouter.Route<unknown, ApiHandlers<Id> | HttpServerRequest.HttpServerRequest>> => {
  const endpoints = endpointsOf(api)
  const tag = tagOf<Id>(endpoints)
  return endpoints.map(({ isAccount, key, method, path, webSocket }) => {
    const handler = Effect.flatMap(tag, (handlers) => handlers.get(key) ?? Effect.dieMessage(`No handler for ${key}`))
    const route = RouteOptions.add(HttpLayerRouter.route(method, path, handler), isAccount ? { isAccount } : {})
    return webSocket === undefined ? route : Handshake.route(webSocket, true)(route)
  })
}
