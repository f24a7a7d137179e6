// How the result of an endpoint becomes a response, decided once: its status, its encoding, whether it has a body.
import { HttpApiSchema, HttpServerResponse } from "@effect/platform"
import { type Effect, Either, ParseResult, Schema, type SchemaAST } from "effect"

type Response = HttpServerResponse.HttpServerResponse

/** An `Either` where the schemas are synchronous. */
type Encoded = Either.Either<Response, ParseResult.ParseIssue> | Effect.Effect<Response, ParseResult.ParseIssue>

type Member = Schema.Schema<unknown, unknown>

// Passed to the server as text, without a copy to bytes.
const textResponse = (body: string, contentType: string, status: number): Response =>
  HttpServerResponse.raw(body, { status, contentType, contentLength: Buffer.byteLength(body) })

const jsonResponse = (data: unknown, ast: SchemaAST.AST, contentType: string, status: number) => {
  try {
    return Either.right(textResponse(JSON.stringify(data) ?? "", contentType, status))
  } catch (error) {
    return Either.left(new ParseResult.Type(ast, { _tag: "JsonError", error }, "Could not encode to JSON"))
  }
}

/** The response of an encoded value of this schema. */
export const respondOf = (ast: SchemaAST.AST, status: number) => {
  if (HttpApiSchema.isVoid(ast)) return () => Either.right(HttpServerResponse.empty({ status }))
  const { contentType, kind } = HttpApiSchema.getEncoding(ast)
  // A boundary: `HttpApiSchema.withEncoding` accepts only schemas whose values these encodings take.
  const respond = {
    Json: (data: unknown, at: SchemaAST.AST) => jsonResponse(data, at, contentType, status),
    Text: (data: unknown) => Either.right(textResponse(data as string, contentType, status)),
    Uint8Array: (data: unknown) =>
      Either.right(HttpServerResponse.uint8Array(data as Uint8Array, { status, contentType })),
    UrlParams: (data: unknown) =>
      Either.right(HttpServerResponse.urlParams(data as Record<string, string>, { status, contentType }))
  }
  return respond[kind]
}

const isResponse = Schema.declare(HttpServerResponse.isServerResponse)

const toResponse = (schema: Member): Schema.Schema<unknown, Response> => {
  const respond = respondOf(schema.ast, HttpApiSchema.getStatusSuccessAST(schema.ast))
  return Schema.transformOrFail(isResponse, schema, {
    decode: (response, _, ast) => Either.left(new ParseResult.Forbidden(ast, response, "Encode only schema")),
    encode: (data, _, ast) => respond(data, ast)
  })
}

/** The response of what a handler returned. */
export const encoderOf = (success: Schema.Schema.Any): ((value: unknown) => Encoded) => {
  const members = new Set<Schema.Schema.Any>()
  HttpApiSchema.deunionize(members, success)
  // A boundary: the services that a schema needs were provided when the group was built.
  const responses = Array.from(members, (member) => toResponse(member as Member))
  const encode = ParseResult.encodeUnknown(Schema.Union(...responses))
  return (value) => (HttpServerResponse.isServerResponse(value) ? Either.right(value) : encode(value))
}
