// Payloads that the forms of pages validate. A form takes every scalar as a text: a member of another type than the endpoint
// declares is refused before.
import { HttpServerRequest } from "@effect/platform"
import { Context, Effect, Either, ParseResult, Schema, SchemaAST } from "effect"
import * as MediaType from "../../../../src/http/internal/text/MediaType.ts"
import * as ApiDecoding from "./ApiDecoding.ts"
import * as FormFields from "../FormFields.ts"

/** Whether the raw handlers of a group are forms. */
export class FormPayload extends Context.Tag("effect-framework/http/FormPayload")<FormPayload, true>() {}

/** Whether a body of this type is JSON. */
export const isJson = (contentType: string | undefined): boolean => MediaType.of(contentType) === "application/json"

/** The type of a value alone: which texts are valid, the form says. */
const typeOf = (ast: SchemaAST.AST): SchemaAST.AST => {
  switch (ast._tag) {
    case "StringKeyword":
    case "NumberKeyword":
    case "BooleanKeyword":
      return ast
    case "TemplateLiteral":
      return SchemaAST.stringKeyword
    case "Literal":
      return typeof ast.literal === "string" ? SchemaAST.stringKeyword : ast
    case "Union":
      return SchemaAST.Union.make(ast.types.map(typeOf))
    case "Refinement":
      return typeOf(ast.from)
    default:
      return SchemaAST.unknownKeyword
  }
}

const membersOf = (ast: SchemaAST.AST): SchemaAST.AST =>
  new SchemaAST.TypeLiteral(
    SchemaAST.getPropertySignatures(SchemaAST.encodedAST(ast)).map(
      ({ isReadonly, name, type }) => new SchemaAST.PropertySignature(name, typeOf(type), true, isReadonly)
    ),
    []
  )

/** Refuses members of another type. What is missing, the form says. */
export const checked = (schema: Schema.Schema.All) => {
  const check = ParseResult.decodeUnknownEither(Schema.make(membersOf(schema.ast)))
  return Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const fields = isJson(headers["content-type"]) ? yield* Effect.orDie(FormFields.read) : undefined
    const result = fields?.json === undefined ? Either.void : check(fields.json)
    if (Either.isRight(result)) return
    return yield* ApiDecoding.refail({ part: "body", issue: result.left })
  })
}
