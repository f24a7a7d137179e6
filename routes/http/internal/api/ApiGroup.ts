// The handlers of a group of an `HttpApi` as routes, each compiled once when the program starts.
import { HttpApiBuilder, HttpApiError, type HttpApiEndpoint, type HttpApiGroup, HttpRouter } from "@effect/platform"
import { Chunk, type Context, Effect, Either, ParseResult, Pipeable } from "effect"
import * as RequestServices from "../../../../src/http/internal/RequestServices.ts"
import * as ApiDecoding from "./ApiDecoding.ts"
import * as ApiEncoding from "./ApiEncoding.ts"
import * as ApiMiddleware from "./ApiMiddleware.ts"

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
export class Handlers extends Pipeable.Class() {
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
    if (endpoint === undefined) throw new Error(`The group ${this.group.identifier} has no endpoint ${name}`)
    const { uninterruptible = false } = options ?? {}
    return new Handlers(
      this.group,
      Chunk.append(this.handlers, { endpoint, handler, withFullRequest, uninterruptible })
    )
  }
}

/** No handlers yet, for the group of this name. */
const handlersOf = (groups: Readonly<Record<string, unknown>>, name: string): Handlers => {
  const group = groups[name]
  if (group === undefined) throw new Error(`The API has no group ${name}`)
  // A boundary: the type of a group does not say what it is made of.
  return new Handlers(group as Group)
}

const unparsed = (issue: ParseResult.ParseIssue) =>
  HttpApiError.HttpApiDecodeError.refailParseError(ParseResult.parseError(issue))

/** Goes on at once where the value is there. */
const then = <A, B>(
  parsed: Either.Either<A, ParseResult.ParseIssue> | Effect.Effect<A, ParseResult.ParseIssue>,
  next: (value: A) => Effect.Effect<B, unknown>
): Effect.Effect<B, unknown> => {
  if (!Either.isEither(parsed)) return Effect.flatMap(Effect.catchAll(parsed, unparsed), next)
  return Either.isRight(parsed) ? next(parsed.right) : unparsed(parsed.left)
}

const runOf = ({ endpoint, handler, withFullRequest }: Item, services: Context.Context<never>) => {
  const decode = ApiDecoding.decoderOf(endpoint, withFullRequest)
  const encode = ApiEncoding.encoderOf(endpoint.successSchema)
  const respond = (value: unknown) => then(encode(value), Effect.succeed)
  const run = Effect.contextWithEffect((context: Context.Context<never>) =>
    then(decode(context), (decoded) => Effect.flatMap(handler(decoded), respond))
  )
  // A handler that decodes something of the client's and fails says what the endpoint would.
  const typed = Effect.catchIf(run, ParseResult.isParseError, HttpApiError.HttpApiDecodeError.refailParseError)
  return RequestServices.provideBelow(typed, services)
}

/** The routes of these handlers, with the services that the layer of the group has. */
const routesOf = ({ group, handlers }: Handlers, services: Context.Context<never>) =>
  Array.from(handlers, (item) => {
    const { endpoint, uninterruptible } = item
    const middleware = [...group.middlewares, ...endpoint.middlewares]
    const handler = ApiMiddleware.applied(middleware, services, runOf(item, services))
    return HttpRouter.makeRoute(endpoint.method, endpoint.path, handler, { uninterruptible })
  })

/**
 * The handlers of a group: `HttpApiBuilder.group` with the same types and the same answers, whose endpoints are compiled once
 * when the program starts.
 */
export const group: typeof HttpApiBuilder.group = (api, name, build) => {
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
