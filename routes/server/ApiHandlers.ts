// An `HttpApi` of @effect/platform on this server.
import { type HttpApi, HttpApiBuilder, type HttpApiGroup } from "@effect/platform"
import { Effect, Layer } from "effect"
import { StartupError } from "../../src/config/StartupError.ts"
import * as ApiGroup from "../http/internal/api/ApiGroup.ts"
import * as ApiMiddleware from "../http/internal/api/ApiMiddleware.ts"
import * as ApiFailures from "./internal/ApiFailures.ts"
import { type ApiHandlers, endpointsOf, type Handler, keyOf, tagOf } from "./internal/ApiEndpoints.ts"

export type { ApiHandlers }

/**
 * The handlers of an API, for `Pipeline.api`. Provide the layers of its groups (`ApiHandlers.group`) and of its
 * middleware to it.
 */
export const layer = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
): Layer.Layer<
  ApiHandlers<Id>,
  StartupError,
  HttpApiGroup.HttpApiGroup.ToService<Id, Groups> | HttpApiGroup.HttpApiGroup.ErrorContext<Groups> | R
> => {
  const endpoints = endpointsOf(api)
  return HttpApiBuilder.Router.unwrap((router) =>
    Layer.effect(
      tagOf<Id>(endpoints),
      Effect.gen(function* () {
        const services = yield* Effect.context<never>()
        const built = new Map<string, Handler>()
        for (const route of router.routes) {
          // A boundary: the context of an endpoint's handler was provided when its group was built.
          const handler = route.handler as Handler
          built.set(keyOf(route.method, route.path), route.uninterruptible ? Effect.uninterruptible(handler) : handler)
        }
        const handlers = new Map<string, Handler>()
        for (const { declared, errors, isMultipart, key } of endpoints) {
          if (isMultipart) {
            return yield* new StartupError({
              reason: `${key}: a multipart body needs Upload.route`,
              entry: "a-multipart-endpoint"
            })
          }
          const handler = built.get(key)
          if (handler === undefined) {
            return yield* new StartupError({ reason: `${key} has no handler`, entry: "an-endpoint-without-a-handler" })
          }
          const guarded = ApiMiddleware.applied(api.middlewares, services, handler)
          handlers.set(key, Effect.catchAllCause(guarded, ApiFailures.responding(declared, errors, services)))
        }
        return handlers
      })
    )
  )
}

/** The handlers of a group, as `HttpApiBuilder.group` takes them. */
export const group = ApiGroup.group
