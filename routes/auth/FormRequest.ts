// Decodes a submitted form by its schema: the values, or an error for each invalid field.
import { Effect, Either, ParseResult, Schema, SchemaAST } from "effect"
import * as ErrorResponse from "../../src/errors/ErrorResponse.ts"
import type { Fields } from "../../src/http/Fields.ts"
import * as FormFields from "../http/FormFields.ts"

/** Messages for the user, by the name of the field. */
export type FieldErrors = Readonly<Record<string, string>>

/** The form is invalid. Keeps the fields that may be shown again, and never a password. */
export class InvalidForm extends Schema.TaggedError<InvalidForm>("effect-framework/auth/InvalidForm")("InvalidForm", {
  error: Schema.String,
  fieldErrors: Schema.Record({ key: Schema.String, value: Schema.String }),
  kept: Schema.Struct({ email: Schema.String, remember: Schema.Boolean })
}) {
  override get message() {
    return this.error
  }
  get status(): 422 {
    return 422
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(this.status, { message: this.error })
  }
}

/** The fields that a form keeps when it is shown again. */
export type KeptFields = InvalidForm["kept"]

const maxKept = 320

/** The fields of a request that may be shown again. */
export const keep = (fields: Fields): KeptFields => ({
  email: fields.repeated.has("email") ? "" : (fields.get("email") ?? "").slice(0, maxKept),
  remember: fields.has("remember")
})

/** The form of this request, decoded by its schema. A missing field counts as empty. */
export const read = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownEither(schema, { errors: "all" })
  const signatures = SchemaAST.getPropertySignatures(SchemaAST.encodedAST(schema.ast))
  return Effect.gen(function* () {
    const fields = yield* FormFields.read
    const repeated = signatures.filter(({ name }) => fields.repeated.has(String(name)))
    // Parsers disagree on which of two values counts, and our forms never send two.
    if (repeated.length > 0) {
      return yield* invalid(
        fields,
        repeated.map(({ name }) => [String(name), "Send this field once."] as const)
      )
    }
    const given = signatures.flatMap(({ isOptional, name }) => {
      const value = fields.get(String(name)) ?? (isOptional ? undefined : "")
      return value === undefined ? [] : [[name, value] as const]
    })
    const decoded = decode(Object.fromEntries(given))
    return Either.isRight(decoded) ? decoded.right : yield* invalid(fields, errorsOf(decoded.left))
  })
}

/** An `InvalidForm` with these errors, to be yielded as a failure. */
export const invalid = (
  fields: Fields,
  fieldErrors: Iterable<readonly [string, string]>,
  error = "Some fields need your attention."
): InvalidForm => new InvalidForm({ error, fieldErrors: Object.fromEntries(fieldErrors), kept: keep(fields) })

// Only the first error of a field is shown.
const errorsOf = (error: ParseResult.ParseError): Iterable<readonly [string, string]> =>
  ParseResult.ArrayFormatter.formatErrorSync(error)
    .map(({ message, path }) => [String(path[0] ?? ""), message] as const)
    .reverse()
