// What an endpoint of an `HttpApi` decodes of a request, decided once: a request costs only the parsers that its endpoint has,
// and no effect where they are synchronous.
import {
  HttpApiError,
  HttpApiSchema,
  HttpMethod,
  HttpRouter,
  HttpServerRequest,
  Multipart,
  UrlParams
} from "@effect/platform"
import { Context, Effect, Either, Option, ParseResult, type Schema } from "effect"
import type { InvalidRequest } from "../../../../src/http/InvalidRequest.ts"
import * as UrlParamShape from "./UrlParamShape.ts"

type Request = HttpServerRequest.HttpServerRequest

/** An `Either` where the parser is synchronous. */
export type Parsed<A, E = ParseResult.ParseIssue> = Either.Either<A, E> | Effect.Effect<A, E>

/** A part of a request that its endpoint refuses. */
export interface Refusal {
  readonly part: InvalidRequest["part"]
  readonly issue: ParseResult.ParseIssue
}

interface Source {
  readonly request: Request
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: UrlParamShape.UrlParams
}

interface Part {
  readonly name: "path" | "payload" | "headers" | "urlParams"
  readonly decode: (source: Source) => Parsed<unknown>
}

export interface Endpoint {
  readonly pathSchema: Option.Option<Schema.Schema.All>
  readonly payloadSchema: Option.Option<Schema.Schema.All>
  readonly headersSchema: Option.Option<Schema.Schema.All>
  readonly urlParamsSchema: Option.Option<Schema.Schema.All>
}

/** What a handler is called with. */
export type Decoded = Readonly<Record<string, unknown>>

type Multiparts = Multipart.withLimits.Options | undefined

// A body that cannot be read is no value that a schema refuses: the server answers it.
const bodyOf = (request: Request, limits: Multiparts): Effect.Effect<unknown> => {
  const type = (request.headers["content-type"] || "application/json").toLowerCase().trim()
  if (type.includes("application/json")) return Effect.orDie(request.json)
  if (type.includes("multipart/form-data")) return Effect.orDie(partsOf(request, limits))
  if (type.includes("x-www-form-urlencoded")) {
    return Effect.map(Effect.orDie(request.urlParamsBody), UrlParams.toRecord)
  }
  if (type.startsWith("text/")) return Effect.orDie(request.text)
  return Effect.map(Effect.orDie(request.arrayBuffer), (buffer) => new Uint8Array(buffer))
}

// A boundary: `ApiHandlers.layer` refuses endpoints for files, and elsewhere the server has what they need.
const partsOf = ({ multipart }: Request, limits: Multiparts) =>
  (limits === undefined ? multipart : Multipart.withLimits(multipart, limits)) as Effect.Effect<unknown, unknown>

const parserOf = (schema: Schema.Schema.All): ((value: unknown) => Parsed<unknown>) =>
  // A boundary: the services that a schema needs were provided when the group was built.
  ParseResult.decodeUnknown(schema as Schema.Schema<unknown, unknown>)

const payloadOf = (schema: Schema.Schema.All, isRaw: boolean): Part | undefined => {
  const stream = HttpApiSchema.getMultipartStream(schema.ast)
  if (stream !== undefined) {
    const limits = HttpApiSchema.getMultipart(schema.ast) ?? stream
    const parts = ({ request: { multipartStream } }: Source) => Multipart.withLimitsStream(multipartStream, limits)
    return { name: "payload", decode: (source) => Either.right(parts(source)) }
  }
  if (isRaw) return undefined
  const limits = HttpApiSchema.getMultipart(schema.ast)
  const parse = parserOf(schema)
  return {
    name: "payload",
    decode: ({ query, request }) =>
      HttpMethod.hasBody(request.method) ? Effect.flatMap(bodyOf(request, limits), parse) : parse(query)
  }
}

const partsOfEndpoint = (endpoint: Endpoint, isRaw: boolean) => {
  const parts: Array<Part> = []
  const path = Option.map(endpoint.pathSchema, parserOf)
  if (Option.isSome(path)) parts.push({ name: "path", decode: ({ params }) => path.value(params) })
  const payload = Option.getOrUndefined(endpoint.payloadSchema)
  const body = payload === undefined ? undefined : payloadOf(payload, isRaw)
  if (body !== undefined) parts.push(body)
  const headers = Option.map(endpoint.headersSchema, parserOf)
  if (Option.isSome(headers)) parts.push({ name: "headers", decode: ({ request }) => headers.value(request.headers) })
  const query = Option.getOrUndefined(endpoint.urlParamsSchema)
  if (query !== undefined) {
    const parse = parserOf(query)
    parts.push({ name: "urlParams", decode: (source) => parse(UrlParamShape.shaped(query.ast, source.query)) })
  }
  return parts
}

const partNames = { path: "path", headers: "headers", urlParams: "query" } as const

const partOf = (name: Part["name"], { request }: Source): Refusal["part"] =>
  name === "payload" ? (HttpMethod.hasBody(request.method) ? "body" : "query") : partNames[name]

const decodeFrom = (
  parts: ReadonlyArray<Part>,
  source: Source,
  decoded: Record<string, unknown>,
  from: number
): Parsed<Decoded, Refusal> => {
  for (const [index, { decode, name }] of parts.entries()) {
    if (index < from) continue
    const result = decode(source)
    const refused = (issue: ParseResult.ParseIssue): Refusal => ({ part: partOf(name, source), issue })
    if (!Either.isEither(result)) {
      return Effect.flatMap(Effect.mapError(result, refused), (value) => {
        decoded[name] = value
        return decodeFrom(parts, source, decoded, index + 1)
      })
    }
    if (Either.isLeft(result)) return Either.left(refused(result.left))
    decoded[name] = result.right
  }
  return Either.right(decoded)
}

const sourceOf = (context: Context.Context<never>): Source => ({
  request: Context.unsafeGet(context, HttpServerRequest.HttpServerRequest),
  params: Context.unsafeGet(context, HttpRouter.RouteContext).params,
  query: Context.unsafeGet(context, HttpServerRequest.ParsedSearchParams)
})

/** What the handler of this endpoint is called with, from the services of a request. `isRaw` leaves the body unread. */
export const decoderOf = (
  endpoint: Endpoint,
  isRaw: boolean
): ((context: Context.Context<never>) => Parsed<Decoded, Refusal>) => {
  const parts = partsOfEndpoint(endpoint, isRaw)
  return (context) => {
    const request = Context.unsafeGet(context, HttpServerRequest.HttpServerRequest)
    return parts.length === 0 ? Either.right({ request }) : decodeFrom(parts, sourceOf(context), { request }, 0)
  }
}

/** What the endpoint refuses of a request: one whose failure does not say so is decoded once more. */
export const refusalOf = (endpoint: Endpoint, context: Context.Context<never>): Effect.Effect<Option.Option<Refusal>> =>
  Effect.suspend(() => decoderOf(endpoint, false)(context)).pipe(Effect.flip, Effect.option)

const refusals = new WeakMap<HttpApiError.HttpApiDecodeError, Refusal | ParseResult.ParseError>()

/** Fails as Effect's own builder does, whose failure neither names the part nor hides what was sent. */
export const refail = (
  refused: Refusal | ParseResult.ParseError
): Effect.Effect<never, HttpApiError.HttpApiDecodeError> => {
  const error = ParseResult.isParseError(refused) ? refused : ParseResult.parseError(refused.issue)
  return Effect.flatMap(HttpApiError.HttpApiDecodeError.fromParseError(error), (failure) => {
    refusals.set(failure, refused)
    return Effect.fail(failure)
  })
}

/** What `refail` was given; a `ParseError` is that of a handler. */
export const refused = (failure: HttpApiError.HttpApiDecodeError): Refusal | ParseResult.ParseError | undefined =>
  refusals.get(failure)
