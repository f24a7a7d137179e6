// Cross-origin requests of an API: the answers to preflights, and the headers of every response of its endpoints, errors
// included. Cookies are never allowed: a page of another origin authenticates with a bearer.
import {
  type HttpApi,
  type HttpApiGroup,
  type HttpApiMiddleware,
  HttpApi as Api,
  HttpApiMiddleware as Middleware,
  HttpLayerRouter,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { Context, Effect, Either, Option, SchemaAST } from "effect"
import * as Cors from "../../../src/server/internal/Cors.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import { StartupError } from "../../../src/config/StartupError.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"

type Response = HttpServerResponse.HttpServerResponse
type Path = Parameters<typeof HttpLayerRouter.route>[1]

interface Resource {
  readonly path: Path
  readonly methods: Set<string>
  readonly headers: Set<string>
}

/** The policy; a mistake in it stops the start. */
export const policyOf = (options: Cors.CorsOptions): Cors.CorsPolicy =>
  Either.getOrThrowWith(Cors.make(options), (reason) => new StartupError({ reason, entry: "origins" }))

const credentialHeaders = (middleware: HttpApiMiddleware.TagClassAny): ReadonlyArray<string> => {
  if (!Middleware.isSecurity(middleware)) return []
  return Object.values(middleware.security).flatMap((security) => {
    if (security._tag === "ApiKey") return security.in === "header" ? [security.key.toLowerCase()] : []
    return ["authorization"]
  })
}

// => /notes/:   of `/notes/:id` and `/notes/:name`, which are the same requests
const shape = (path: string): string => path.replace(/:\w+/g, ":")

const resourcesOf = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
): ReadonlyArray<Resource> => {
  const resources = new Map<string, Resource>()
  const common = [...api.middlewares].flatMap(credentialHeaders)
  Api.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, middleware, payloads }) => {
      const { headersSchema, method, path } = endpoint
      const found = resources.get(shape(path))
      const { headers, methods } = found ?? { headers: new Set(common), methods: new Set<string>() }
      // A boundary: routers accept a path without its type.
      if (found === undefined) resources.set(shape(path), { path: path as Path, methods, headers })
      methods.add(method)
      if (method === "GET") methods.add("HEAD")
      if (payloads.size > 0) headers.add("content-type")
      for (const name of [...middleware].flatMap(credentialHeaders)) headers.add(name)
      const stated = Option.map(headersSchema, ({ ast }) =>
        SchemaAST.getPropertySignatures(SchemaAST.encodedAST(ast)).map(({ name }) => String(name).toLowerCase())
      )
      for (const name of Option.getOrElse(stated, () => [])) headers.add(name)
    }
  })
  return [...resources.values()]
}

const preflight = ({ maxAge, origins }: Cors.CorsPolicy, { headers, methods }: Resource) => {
  const allow = [...methods, "OPTIONS"].join(", ")
  const common = { allow, vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers" }
  const granted = {
    "access-control-allow-methods": [...methods].join(", "),
    ...(headers.size > 0 && { "access-control-allow-headers": [...headers].join(", ") }),
    "access-control-max-age": maxAge
  }
  return Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    const { "access-control-request-method": wanted, origin = "" } = request.headers
    const isGranted = wanted !== undefined && origins.has(origin)
    const added = isGranted ? { "access-control-allow-origin": origin, ...granted } : {}
    return HttpServerResponse.empty({ status: 204, headers: { ...common, ...added } })
  })
}

/** The routes that answer preflights, one for each path that has no OPTIONS of its own. */
export const preflights = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>,
  policy: Cors.CorsPolicy
) =>
  resourcesOf(api)
    .filter(({ methods }) => !methods.has("OPTIONS"))
    .map((resource) => HttpLayerRouter.route("OPTIONS", resource.path, preflight(policy, resource)))

const varied = (response: Response): Response =>
  HttpServerResponse.setHeader(response, "vary", Cors.varyByOrigin(response.headers["vary"]))

/** The handler, whose responses a page of an allowed origin may read. */
export const readable =
  ({ origins }: Cors.CorsPolicy) =>
  <E, R>(
    handler: Effect.Effect<Response, E, R>
  ): Effect.Effect<Response, E, R | RequestState | HttpServerRequest.HttpServerRequest> =>
    RequestServices.use((context: Context.Context<RequestState | HttpServerRequest.HttpServerRequest>) => {
      const { origin } = Context.get(context, HttpServerRequest.HttpServerRequest).headers
      if (origin !== undefined && origins.has(origin)) {
        const { headers } = Context.get(context, RequestState)
        headers.set("access-control-allow-origin", origin)
        headers.set("access-control-expose-headers", Cors.exposedHeaders)
      }
      return Effect.map(handler, varied)
    })
