// Whether a payload holds secrets, as its schema says: those are stored sealed.
import { Option, type Schema, SchemaAST } from "effect"

/** What is stored of a value, or also the value. */
type Side = "stored" | "whole"

const children = (ast: SchemaAST.AST, side: Side): ReadonlyArray<SchemaAST.AST> => {
  switch (ast._tag) {
    case "Declaration":
      return ast.typeParameters
    case "TypeLiteral":
      return [...ast.propertySignatures, ...ast.indexSignatures].map(({ type }) => type)
    case "TupleType":
      return [...ast.elements, ...ast.rest].map(({ type }) => type)
    case "Union":
      return ast.types
    case "Refinement":
      return [ast.from]
    case "Transformation":
      return side === "stored" ? [ast.from] : [ast.from, ast.to]
    case "Suspend":
      return [ast.f()]
    default:
      return []
  }
}

const isRedacted = (ast: SchemaAST.AST): boolean =>
  Option.exists(SchemaAST.getTypeConstructorAnnotation(ast), ({ _tag }) => _tag === "effect/Redacted")

const hasRedacted = (schema: Schema.Schema.All, side: Side): boolean => {
  // A recursive schema comes back to a part that was seen.
  const seen = new Set<SchemaAST.AST>()
  const found = (ast: SchemaAST.AST): boolean => {
    if (seen.has(ast)) return false
    seen.add(ast)
    return isRedacted(ast) || children(ast, side).some(found)
  }
  return found(schema.ast)
}

/** Whether a field, at any depth, is `Schema.Redacted` or `Schema.RedactedFromSelf`. */
export const hasSecrets = (schema: Schema.Schema.All): boolean => hasRedacted(schema, "whole")

/** Whether one stays redacted where it is stored, as that of `Schema.RedactedFromSelf` does: JSON has `<redacted>` for it. */
export const losesSecrets = (schema: Schema.Schema.All): boolean => hasRedacted(schema, "stored")
