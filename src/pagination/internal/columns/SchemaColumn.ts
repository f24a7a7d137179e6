// The column that a schema describes: its kind follows from the encoded side, which is what the database holds.
import { Either, Predicate, Schema, SchemaAST } from "effect"
import { type Column, decimal } from "../../Column.ts"
import type { ColumnSchema, Kind } from "./ColumnKind.ts"

/** The values that a field of an entity may have in JSON. */
type FieldEncoded = string | number | boolean | object | null

/** The fields of an entity's schema. None may be optional: a row has all of its columns. */
export type Fields = Readonly<Record<string, ColumnSchema<unknown, FieldEncoded>>>

type KindOf<I> = [I] extends [string]
  ? "text" | "uuid" | "timestamp" | "bigint" | "date" | "time" | "decimal" | "bytes"
  : [I] extends [number]
    ? "integer" | "float"
    : [I] extends [boolean]
      ? "boolean"
      : [I] extends [object]
        ? "json"
        : Kind

/** The columns of these fields. */
export type ColumnsOf<F extends Fields> = {
  readonly [N in keyof F]: Column<
    KindOf<Exclude<F[N]["Encoded"], null>>,
    null extends F[N]["Encoded"] ? true : false,
    F[N]["Type"],
    F[N]["Encoded"]
  >
}

/**
 * The column of a schema; `undefined` when no kind holds its encoded values. With a scale it is a decimal of so many
 * digits after the point, which no schema says.
 */
export const make = (schema: ColumnSchema<unknown, unknown>, scale?: number): Column | undefined => {
  const members = membersOf(SchemaAST.encodedAST(schema.ast))
  const values = members.filter((member) => !isNull(member))
  const kind = kindOf(values, [...nodes(schema.ast)])
  const nullable = values.length < members.length
  if (scale === undefined) {
    if (kind === "timestamp") return { kind, nullable, schema, decodes: true, scale: secondDigitsOf(schema) }
    return kind === undefined ? undefined : { kind, nullable, schema, decodes: true }
  }
  return kind === "text" ? { ...decimal(scale), nullable, schema, decodes: true } : undefined
}

// SQLite compares texts, so that all moments of a column have the digits that its schema writes. A schema may refuse some of
// these moments.
const secondDigitsOf = ({ ast }: ColumnSchema<unknown, unknown>): number => {
  const [decode, encode] = [Schema.decodeUnknownEither(Schema.make(ast)), Schema.encodeUnknownEither(Schema.make(ast))]
  const written = ["2000", "1970", "2100"]
    .map((year) => Either.getOrUndefined(Either.flatMap(decode(`${year}-01-01T00:00:00.000000Z`), encode)))
    .find(Predicate.isString)
  const second = /:\d\d(?:\.(\d{1,6}))?Z$/.exec(written ?? "")
  return second === null ? milliseconds : (second[1] ?? "").length
}

const milliseconds = 3

const kindOf = (values: ReadonlyArray<SchemaAST.AST>, parts: ReadonlyArray<SchemaAST.AST>): Kind | undefined => {
  const [primitive, ...others] = new Set(values.map(primitiveOf))
  if (others.length > 0) return undefined
  if (primitive === "object") return "json"
  if (primitive === "boolean") return "boolean"
  if (primitive === "number") return isInteger(values, parts) ? "integer" : "float"
  if (primitive !== "string") return undefined
  if (parts.some(SchemaAST.isBigIntKeyword)) return "bigint"
  if (parts.some(isMoment)) return "timestamp"
  if (parts.some(isBase64)) return "bytes"
  const format = parts.map(formatOf).find((one) => one === "date" || one === "time")
  if (format !== undefined) return format
  return parts.some((part) => part.annotations[SchemaAST.SchemaIdAnnotationId] === Schema.UUIDSchemaId)
    ? "uuid"
    : "text"
}

const isInteger = (values: ReadonlyArray<SchemaAST.AST>, parts: ReadonlyArray<SchemaAST.AST>): boolean =>
  parts.some((part) => part.annotations[SchemaAST.SchemaIdAnnotationId] === Schema.IntSchemaId || isMoment(part)) ||
  values.every((value) => SchemaAST.isLiteral(value) && Number.isInteger(value.literal))

const moments = new Set<unknown>(["DateFromSelf", "ValidDateFromSelf", "DateTimeUtcFromSelf"])

const isMoment = (ast: SchemaAST.AST): boolean => moments.has(ast.annotations[SchemaAST.IdentifierAnnotationId])

const isBase64 = (ast: SchemaAST.AST): boolean =>
  ast.annotations[SchemaAST.IdentifierAnnotationId] === "Uint8ArrayFromBase64"

// What a schema says about its text: Schema.String.annotations({ jsonSchema: { format: "date" } })
const formatOf = (ast: SchemaAST.AST): "date" | "time" | undefined => {
  const said = ast.annotations[SchemaAST.JSONSchemaAnnotationId]
  const format = Predicate.hasProperty(said, "format") ? said.format : undefined
  return format === "date" || format === "time" ? format : undefined
}

const isNull = (ast: SchemaAST.AST): boolean => SchemaAST.isLiteral(ast) && ast.literal === null

const membersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  SchemaAST.isUnion(ast) ? ast.types.flatMap(membersOf) : [ast]

const primitiveOf = (ast: SchemaAST.AST): string | undefined => {
  if (SchemaAST.isStringKeyword(ast) || SchemaAST.isTemplateLiteral(ast)) return "string"
  if (SchemaAST.isNumberKeyword(ast)) return "number"
  if (SchemaAST.isBooleanKeyword(ast)) return "boolean"
  if (SchemaAST.isLiteral(ast)) return typeof ast.literal
  if (SchemaAST.isTypeLiteral(ast) || SchemaAST.isTupleType(ast)) return "object"
  const [first] = SchemaAST.isEnums(ast) ? ast.enums : []
  return Predicate.isNotUndefined(first) ? typeof first[1] : undefined
}

// A schema and those that it is built of.
function* nodes(ast: SchemaAST.AST): Generator<SchemaAST.AST> {
  yield ast
  for (const part of partsOf(ast)) yield* nodes(part)
}

const partsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  if (SchemaAST.isRefinement(ast)) return [ast.from]
  if (SchemaAST.isTransformation(ast)) return [ast.from, ast.to]
  if (SchemaAST.isUnion(ast)) return ast.types
  return SchemaAST.isDeclaration(ast) ? ast.typeParameters : []
}
