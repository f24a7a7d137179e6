// A submitted form against its schema: the values, or what is wrong with which field.
import { Effect, Either, ParseResult, Schema, SchemaAST } from "effect"
import * as ErrorResponse from "../../src/errors/ErrorResponse.ts"
import type { Fields } from "../../src/http/Fields.ts"
import * as FormFields from "../http/FormFields.ts"

/** By the name of the field, in words for the person who filled it in. */
export type FieldErrors = Readonly<Record<string, string>>

/** The form cannot be taken as it is. Holds what may be shown again, and never a password. */
export class InvalidForm extends Schema.TaggedError<InvalidForm>("effect-framework/auth/InvalidForm")("InvalidForm", {
  error: Schema.String,
  faults: Schema.Record({ key: Schema.String, value: Schema.String }),
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

/** What a form that is shown again still holds. */
export type KeptFields = InvalidForm["kept"]

const maxKept = 320

/** What may be shown again of the fields of this request. */
export const keep = (fields: Fields): KeptFields => ({
  email: fields.repeated.has("email") ? "" : (fields.get("email") ?? "").slice(0, maxKept),
  remember: fields.has("remember")
})

/** The form of this request as its schema says. A missing field is an empty one. */
export const read = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownEither(schema, { errors: "all" })
  const signatures = SchemaAST.getPropertySignatures(SchemaAST.encodedAST(schema.ast))
  return Effect.gen(function* () {
    const fields = yield* FormFields.read
    const repeated = signatures.filter(({ name }) => fields.repeated.has(String(name)))
    // Of two values one reader takes the first and another the last: no form of ours sends two.
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
    return Either.isRight(decoded) ? decoded.right : yield* invalid(fields, faultsOf(decoded.left))
  })
}

/** Fails with what is wrong. */
export const invalid = (
  fields: Fields,
  faults: Iterable<readonly [string, string]>,
  error = "Some fields need your attention."
): InvalidForm => new InvalidForm({ error, faults: Object.fromEntries(faults), kept: keep(fields) })

// The first thing that is wrong with a field is said, the rest can wait.
const faultsOf = (error: ParseResult.ParseError): Iterable<readonly [string, string]> =>
  ParseResult.ArrayFormatter.formatErrorSync(error)
    .map(({ message, path }) => [String(path[0] ?? ""), message] as const)
    .reverse()
