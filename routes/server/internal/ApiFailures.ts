// The failures of an endpoint of an `HttpApi`, each in the envelope with the status that it declares.
import { HttpApiError, HttpApiSchema, type HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Cause, type Context, Effect, Either, Option, ParseResult, Predicate, type Schema } from "effect"
import * as Expectations from "../../../src/errors/internal/Expectations.ts"
import * as InvalidRequest from "../../../src/http/InvalidRequest.ts"
import * as ErrorResponse from "../../../src/http/internal/ErrorResponse.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"
import * as ApiEnvelope from "../../errors/internal/ApiEnvelope.ts"
import * as HandlerDecoding from "../../errors/internal/InvalidRequest.ts"
import * as ApiDecoding from "../../http/internal/api/ApiDecoding.ts"
import * as ApiEncoding from "../../http/internal/api/ApiEncoding.ts"

type Response = HttpServerResponse.HttpServerResponse

interface Declared {
  readonly status: number
  readonly encode: (failure: unknown) => Effect.Effect<unknown, ParseResult.ParseIssue>
  readonly respond: (encoded: unknown) => Either.Either<Response, unknown>
}

const declaredOf = (schema: Schema.Schema.Any): Declared => {
  const { ast } = schema
  const status = HttpApiSchema.getStatusErrorAST(ast)
  const respond = ApiEncoding.respondOf(ast, status)
  // A boundary: the services that a schema needs are those of the layer.
  const encode = ParseResult.encodeUnknown(schema as Schema.Schema<unknown, unknown>)
  return { status, encode, respond: (encoded) => respond(encoded, ast) }
}

const isEmpty = ({ ast }: Schema.Schema.Any): boolean => HttpApiSchema.isVoid(ast)

const isDecodeError = (failure: unknown): failure is HttpApiError.HttpApiDecodeError =>
  failure instanceof HttpApiError.HttpApiDecodeError

const ofPart = ({ issue, part }: ApiDecoding.Refusal): InvalidRequest.InvalidRequest =>
  new InvalidRequest.InvalidRequest({
    part,
    fields: Object.fromEntries(Expectations.of(ParseResult.parseError(issue)))
  })

const ofHandler = (
  error: ParseResult.ParseError,
  context: Context.Context<HttpServerRequest.HttpServerRequest>
): InvalidRequest.InvalidRequest => {
  const { fields = {}, status } = HandlerDecoding.toResponse(context, error)
  return new InvalidRequest.InvalidRequest({ part: status === 422 ? "body" : "query", fields })
}

const invalidRequest = (
  failure: HttpApiError.HttpApiDecodeError,
  endpoint: ApiDecoding.Endpoint,
  context: Context.Context<HttpServerRequest.HttpServerRequest>
): Effect.Effect<InvalidRequest.InvalidRequest> => {
  const refused = ApiDecoding.refused(failure)
  if (refused !== undefined) {
    return Effect.succeed(ParseResult.isParseError(refused) ? ofHandler(refused, context) : ofPart(refused))
  }
  // Of Effect's own builder.
  const decoded = Effect.catchAllCause(ApiDecoding.refusalOf(endpoint, context), () => Effect.succeedNone)
  const paths = failure.issues.map(({ path }) => [path.map(String).join("."), "expected something else"])
  const ofItsHandler = () =>
    new InvalidRequest.InvalidRequest({
      part: Option.isSome(endpoint.payloadSchema) ? "body" : "query",
      fields: Object.fromEntries(paths)
    })
  return Effect.map(decoded, Option.match({ onNone: ofItsHandler, onSome: ofPart }))
}

/** The response of a failure of this endpoint that it, its group or its API declares; fails with any other. */
export const responding = (
  endpoint: ApiDecoding.Endpoint,
  schemas: ReadonlyArray<Schema.Schema.Any>,
  services: Context.Context<never>
): ((cause: Cause.Cause<unknown>) => Effect.Effect<Response, unknown>) => {
  const all = new Set<Schema.Schema.Any>()
  for (const schema of [...schemas, InvalidRequest.errors]) HttpApiSchema.deunionize(all, schema)
  const declared = Array.from(all, (schema) => ({ ...declaredOf(schema), isEmpty: isEmpty(schema) }))

  const respond = (cause: Cause.Cause<unknown>) =>
    Effect.gen(function* () {
      const context = yield* Effect.context<HttpServerRequest.HttpServerRequest>()
      const thrown = Cause.squash(cause)
      const failure = isDecodeError(thrown)
        ? yield* invalidRequest(thrown, endpoint, context)
        : Option.isSome(Cause.failureOption(cause)) && Expectations.isParseError(thrown)
          ? ofHandler(thrown, context)
          : thrown
      // One error may be declared with several statuses.
      const status = ErrorResponse.from(failure)?.status
      const order = [...declared].sort((one, other) => Number(other.status === status) - Number(one.status === status))
      for (const { encode, isEmpty, respond, status } of order) {
        const encoded = yield* Effect.either(encode(failure))
        if (Either.isLeft(encoded)) continue
        if (!isEmpty && Predicate.isRecord(encoded.right))
          return ApiEnvelope.respond(failure, status, encoded.right, context)
        const response = respond(encoded.right)
        if (Either.isRight(response)) return response.right
      }
      return yield* Effect.failCause(cause)
    })
  // A boundary: a handler runs in a request.
  return (cause) => RequestServices.provideBelow(respond(cause), services) as Effect.Effect<Response, unknown>
}
