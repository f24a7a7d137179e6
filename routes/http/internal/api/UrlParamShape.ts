// A query says `tag=a` for a text and for a list of one: the schema tells which it is.
import { Schema, type SchemaAST } from "effect"

/** The parameters of a query, as a router has parsed them. */
export type UrlParams = Readonly<Record<string, string | Array<string>>>

/** Whether a parameter may be a single text; `name` is `undefined` inside of a value. */
const isText = (ast: SchemaAST.AST, name: string | undefined): boolean => {
  switch (ast._tag) {
    case "StringKeyword":
    case "Literal":
    case "TemplateLiteral":
    case "Enums":
      return true
    case "TypeLiteral":
      return name !== undefined && isTextIn(ast, name)
    case "Union":
      return ast.types.some((type) => isText(type, name))
    case "Suspend":
      return isText(ast.f(), name)
    case "Refinement":
    case "Transformation":
      return isText(ast.from, name)
    default:
      return false
  }
}

const isTextIn = ({ indexSignatures, propertySignatures }: SchemaAST.TypeLiteral, name: string): boolean => {
  const property = propertySignatures.find((signature) => signature.name === name)
  if (property !== undefined) return isText(property.type, name)
  return indexSignatures.some(
    ({ parameter, type }) => Schema.is(Schema.make(parameter))(name) && isText(type, undefined)
  )
}

/** The parameters as the schema expects them: what is no single text becomes a list of one. */
export const shaped = (ast: SchemaAST.AST, params: UrlParams): UrlParams =>
  // Not by assignment, which would make the parameter `__proto__` a prototype.
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, Array.isArray(value) || isText(ast, name) ? value : [value]])
  )
