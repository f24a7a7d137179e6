// The schema of a form: how its fields are decoded, and which of them may be shown again.
import { Either, Option, ParseResult, Schema, SchemaAST } from "effect"
import { isSecretField } from "../../../src/http/internal/text/SecretNames.ts"
import { HttpTexts } from "../../../src/http/HttpTexts.ts"
import type { Language } from "../../../src/http/Languages.ts"
import type { Fields } from "../../../src/http/internal/Fields.ts"

/** A form that can be decoded. */
export interface FormSchema<A> {
  readonly names: ReadonlyArray<string>
  /** The fields that are never shown again. */
  readonly secrets: ReadonlySet<string>
  readonly parse: (fields: Fields) => Either.Either<A, ParseResult.ParseError>
}

type FieldErrors = Readonly<Record<string, string>>

const isRedacted = (ast: SchemaAST.AST): boolean => {
  if (SchemaAST.isUnion(ast)) return ast.types.some(isRedacted)
  if (SchemaAST.isRefinement(ast)) return isRedacted(ast.from)
  return (
    SchemaAST.isDeclaration(ast) &&
    Option.exists(SchemaAST.getDescriptionAnnotation(ast), (text) => text.startsWith("Redacted("))
  )
}

/** The form of a schema. */
export const make = <A, I>(schema: Schema.Schema<A, I>): FormSchema<A> => {
  const decode = Schema.decodeUnknownEither(schema, { errors: "all" })
  const signatures = SchemaAST.getPropertySignatures(SchemaAST.encodedAST(schema.ast))
  const names = signatures.map(({ name }) => String(name))
  const redacted = SchemaAST.getPropertySignatures(SchemaAST.typeAST(schema.ast))
    .filter(({ type }) => isRedacted(type))
    .map(({ name }) => String(name))
  return {
    names,
    secrets: new Set([...names.filter(isSecretField), ...redacted]),
    parse: (fields) => {
      const given = signatures.flatMap(({ isOptional, name }) => {
        const value = fields.get(String(name)) ?? (isOptional ? undefined : "")
        return value === undefined ? [] : [[name, value] as const]
      })
      return decode(Object.fromEntries(given))
    }
  }
}

/** The fields of a request that may be shown again. A field that was sent twice is not. */
export const keep = <A>({ names, secrets }: FormSchema<A>, fields: Fields): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = secrets.has(name) || fields.repeated.has(name) ? undefined : fields.get(name)
      return value === undefined ? [] : [[name, value] as const]
    })
  )

/** The values of the form, or a message for each invalid field. */
export const decode = <A>(form: FormSchema<A>, fields: Fields, language: Language): Either.Either<A, FieldErrors> => {
  // Parsers disagree on which of two values counts, and our forms never send two.
  const repeated = form.names.filter((name) => fields.repeated.has(name))
  if (repeated.length > 0) {
    return Either.left(Object.fromEntries(repeated.map((name) => [name, language.texts(HttpTexts).form.repeatedField])))
  }
  return Either.mapLeft(form.parse(fields), (error) => Object.fromEntries(errorsOf(form, fields, error, language)))
}

// Only the first error of a field is shown.
const errorsOf = <A>(form: FormSchema<A>, fields: Fields, error: ParseResult.ParseError, { texts }: Language) =>
  ParseResult.ArrayFormatter.formatErrorSync(error)
    .map(({ message, path }): readonly [string, string] => {
      const name = String(path[0] ?? "")
      const value = fields.get(name) ?? ""
      const isUsable = !isDefault(message, value) && !(form.secrets.has(name) && repeats(message, value))
      return [name, isUsable ? message : texts(HttpTexts).form.invalidField]
    })
    .reverse()

/**
 * Whether a message is one that Effect has for a schema without a text of its own: it is for developers, and in English.
 *
 * => Expected NonEmptyString, actual ""
 * => Unable to decode "x" into a number
 */
const isDefault = (message: string, value: string): boolean => {
  const sent = JSON.stringify(value)
  return message.endsWith(`, actual ${sent}`) || message.startsWith(`Unable to decode ${sent} into `)
}

const repeats = (message: string, value: string): boolean =>
  value !== "" && (message.includes(value) || message.includes(JSON.stringify(value).slice(1, -1)))
