// The handlers of a group of an `HttpApi` as routes, each compiled once when the program starts.
import {
  type HttpApi,
  HttpApiBuilder,
  type HttpApiEndpoint,
  type HttpApiGroup,
  HttpRouter,
  type HttpServerResponse
} from "@effect/platform"
import { Chunk, Context, Effect, Either, type Layer, Option, ParseResult, Pipeable, type Scope } from "effect"
import type { OpenStreams } from "../../../../src/http/internal/OpenStreams.ts"
import * as StartupLine from "../../../../src/config/internal/StartupLine.ts"
import type { RequestState } from "../../../../src/http/internal/RequestState.ts"
import * as RequestServices from "../../../../src/http/internal/RequestServices.ts"
import * as ApiDecoding from "./ApiDecoding.ts"
import * as ApiEncoding from "./ApiEncoding.ts"
import * as ApiMiddleware from "./ApiMiddleware.ts"
import * as FormPayload from "./FormPayload.ts"

type Group = HttpApiGroup.HttpApiGroup.AnyWithProps
type Endpoint = HttpApiEndpoint.HttpApiEndpoint.AnyWithProps
type Handler = (decoded: ApiDecoding.Decoded) => Effect.Effect<unknown, unknown>

/** A handler of an endpoint; one that is raw reads the body by itself. */
interface Item {
  readonly endpoint: Endpoint
  readonly handler: Handler
  readonly withFullRequest: boolean
  readonly uninterruptible: boolean
}

type Options = { readonly uninterruptible?: boolean | undefined } | undefined

/** What a program adds its handlers to; its types are those of `HttpApiBuilder.Handlers`. */
class Handlers extends Pipeable.Class() {
  readonly [HttpApiBuilder.HandlersTypeId] = { _Endpoints: (endpoints: never): never => endpoints }
  readonly group: Group
  readonly handlers: Chunk.Chunk<Item>

  constructor(group: Group, handlers: Chunk.Chunk<Item> = Chunk.empty()) {
    super()
    this.group = group
    this.handlers = handlers
  }

  handle(name: string, handler: Handler, options?: Options): Handlers {
    return this.#with(name, handler, false, options)
  }
  handleRaw(name: string, handler: Handler, options?: Options): Handlers {
    return this.#with(name, handler, true, options)
  }

  #with(name: string, handler: Handler, withFullRequest: boolean, options: Options): Handlers {
    const endpoint = this.group.endpoints[name]
    if (endpoint === undefined) throw undeclared(`The group ${this.group.identifier} has no endpoint ${name}`)
    const { uninterruptible = false } = options ?? {}
    return new Handlers(
      this.group,
      Chunk.append(this.handlers, { endpoint, handler, withFullRequest, uninterruptible })
    )
  }
}

const undeclared = (reason: string): Error => new Error(StartupLine.guided(reason, "what-an-api-does-not-declare"))

/** No handlers yet, for the group of this name. */
const handlersOf = (groups: Readonly<Record<string, unknown>>, name: string): Handlers => {
  const group = groups[name]
  if (group === undefined) throw undeclared(`The API has no group ${name}`)
  // A boundary: the type of a group does not say what it is made of.
  return new Handlers(group as Group)
}

/** Goes on at once where the value is there. */
const then = <A, E, B>(
  parsed: ApiDecoding.Parsed<A, E>,
  failed: (failure: E) => Effect.Effect<never, unknown>,
  next: (value: A) => Effect.Effect<B, unknown>
): Effect.Effect<B, unknown> => {
  if (!Either.isEither(parsed)) return Effect.flatMap(Effect.catchAll(parsed, failed), next)
  return Either.isRight(parsed) ? next(parsed.right) : failed(parsed.left)
}

const unencoded = (issue: ParseResult.ParseIssue) => ApiDecoding.refail(ParseResult.parseError(issue))

const formOf = ({ endpoint: { payloadSchema }, withFullRequest }: Item, group: Group) =>
  withFullRequest &&
  Option.isSome(payloadSchema) &&
  Option.isSome(Context.getOption(group.annotations, FormPayload.FormPayload))
    ? FormPayload.checked(payloadSchema.value)
    : undefined

const runOf = (item: Item, group: Group, services: Context.Context<never>) => {
  const { endpoint, handler, withFullRequest } = item
  const form = formOf(item, group)
  const decode = ApiDecoding.decoderOf(endpoint, withFullRequest)
  const encode = ApiEncoding.encoderOf(endpoint.successSchema)
  const respond = (value: unknown) => then(encode(value), unencoded, Effect.succeed)
  const run = RequestServices.use((context: Context.Context<never>) =>
    then(decode(context), ApiDecoding.refail, (decoded) => Effect.flatMap(handler(decoded), respond))
  )
  const checked = form === undefined ? run : Effect.zipRight(form, run)
  const typed = Effect.catchIf(checked, ParseResult.isParseError, ApiDecoding.refail)
  // A boundary: a handler runs in a request.
  return RequestServices.provideBelow(typed, services) as Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>
}

/** The routes of these handlers, with the services that the layer of the group has. */
const routesOf = ({ group, handlers }: Handlers, services: Context.Context<never>) =>
  Array.from(handlers, (item) => {
    const { endpoint, uninterruptible } = item
    const middleware = [...group.middlewares, ...endpoint.middlewares]
    const handler = ApiMiddleware.applied(middleware, services, runOf(item, group, services))
    return HttpRouter.makeRoute(endpoint.method, endpoint.path, handler, { uninterruptible })
  })

/**
 * The handlers of a group: `HttpApiBuilder.group` with the same types and the same answers, whose endpoints are compiled once
 * when the program starts. They may also use what every request has here, such as the places of streams.
 */
export const group = <
  Id extends string,
  Groups extends HttpApiGroup.HttpApiGroup.Any,
  E,
  R,
  const Name extends HttpApiGroup.HttpApiGroup.Name<Groups>,
  Return
>(
  api: HttpApi.HttpApi<Id, Groups, E, R>,
  name: Name,
  build: (
    handlers: HttpApiBuilder.Handlers.FromGroup<E, R, HttpApiGroup.HttpApiGroup.WithName<Groups, Name>>
  ) => HttpApiBuilder.Handlers.ValidateReturn<Return>
): Layer.Layer<
  HttpApiGroup.ApiGroup<Id, Name>,
  HttpApiBuilder.Handlers.Error<Return>,
  Exclude<
    HttpApiBuilder.Handlers.Context<Return> | HttpApiGroup.HttpApiGroup.MiddlewareWithName<Groups, Name>,
    Scope.Scope | RequestState | OpenStreams
  >
> => {
  const added = HttpApiBuilder.Router.use((router) =>
    Effect.gen(function* () {
      const services = yield* Effect.context<never>()
      const given: unknown = handlersOf(api.groups, name)
      const result: unknown = build(given as Parameters<typeof build>[0])
      const handlers = Effect.isEffect(result) ? yield* result : result
      yield* router.concat(HttpRouter.fromIterable(routesOf(handlers as Handlers, services)))
    })
  )
  // A boundary: the services of the handlers and of the middleware are in the type, and read from the layer's context.
  return added as never
}
