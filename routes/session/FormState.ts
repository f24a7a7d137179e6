// Decodes a submitted form by its schema: the values, or an error for each invalid field.
import { Effect, Either, Record, Schema } from "effect"
import { FormTexts } from "../../src/session/FormTexts.ts"
import { translate } from "../../src/session/internal/FormSentences.ts"
import * as ErrorResponse from "../../src/http/internal/ErrorResponse.ts"
import type { Fields } from "../../src/http/internal/Fields.ts"
import { HttpTexts } from "../../src/http/HttpTexts.ts"
import type { Language } from "../../src/http/Languages.ts"
import * as FormFields from "../http/internal/FormFields.ts"
import * as Texts from "../http/Texts.ts"
import * as FormSchema from "../http/internal/FormSchema.ts"

/** Messages for the user, by the name of the field. */
type FieldErrors = Readonly<Record<string, string>>

/** The values that are shown again, by the name of the field; `FormState<"title" | "text">` for a form with these two. */
type Values<Name extends string = string> = { readonly [Field in Name]?: string }

/** The state of a form: empty at first, later its errors and the values that were sent. */
export interface FormState<Name extends string = string> {
  readonly fieldErrors: FieldErrors
  readonly values: Values<Name>
  /** The field to focus; by default the first invalid one. */
  readonly focus?: string | undefined
}

/** An empty form. */
export const empty: FormState<never> = { fieldErrors: {}, values: {} }

/**
 * The form is refused. Keeps its fields, except those that are secret.
 *
 * @example
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Html } from "effect-framework/http"
 * import { CsrfCheck, Flash, FormState, Respond } from "effect-framework/routes/session"
 *
 * const Order = Schema.Struct({ tea: Schema.NonEmptyString.annotations({ message: () => "Choose a tea." }) })
 *
 * const view = ({ fieldErrors, values }: FormState.FormState<"tea">) =>
 *   Effect.map(CsrfCheck.token, (token) => ({
 *     title: "Order",
 *     main: Html.html`<form method="post">
 *       <input type="hidden" name="_token" value="${token}" />
 *       <label for="tea">Tea</label> <input id="tea" name="tea" value="${values.tea}" />
 *       <p class="error">${fieldErrors["tea"]}</p>
 *     </form>`
 *   }))
 *
 * export const order = FormState.read(Order).pipe(
 *   Effect.flatMap(({ tea }) => Respond.redirectWithFlash("/orders", Flash.success(`${tea} is coming.`))),
 *   Effect.catchTag("InvalidForm", (invalid: FormState.InvalidForm) => Respond.renderInvalid(invalid, view(invalid)))
 * )
 * ```
 */
export class InvalidForm extends Schema.TaggedError<InvalidForm>("effect-framework/session/InvalidForm")(
  "InvalidForm",
  {
    status: Schema.Number,
    error: Schema.String,
    fieldErrors: Schema.Record({ key: Schema.String, value: Schema.String }),
    values: Schema.Record({ key: Schema.String, value: Schema.String })
  },
  ErrorResponse.declared(422, "The form is refused.")
) {
  override get message() {
    return this.error
  }
  get [ErrorResponse.symbol]() {
    const hasFields = Object.keys(this.fieldErrors).length > 0
    return ErrorResponse.of(this.status, {
      message: this.error,
      facts: {},
      ...(hasFields && { fields: this.fieldErrors })
    })
  }
}

/** Why a form is refused. */
export interface Problem {
  /** 422 unless stated, such as 409 for a name that is taken. */
  readonly status?: number
  /** Shown above the form. */
  readonly error?: string
  readonly fieldErrors?: FieldErrors
}

/** The form of this request, decoded by its schema. A missing field counts as empty. */
export const read = <A, I>(schema: Schema.Schema<A, I>) => {
  const form = FormSchema.make(schema)
  return Effect.flatMap(given, ({ fields, language }) => decode(form, fields, language))
}

/** Refuses the form of this request: fails with an `InvalidForm` that keeps what was sent. */
export const invalid = <A, I>(schema: Schema.Schema<A, I>, problem: Problem) => {
  const form = FormSchema.make(schema)
  return Effect.flatMap(given, ({ fields, language }) => refuse(form, fields, language, problem))
}

const given = Effect.all({ fields: FormFields.read, language: Texts.language })

const decode = <A>(form: FormSchema.FormSchema<A>, fields: Fields, language: Language): Effect.Effect<A, InvalidForm> =>
  Either.match(FormSchema.decode(form, fields, language), {
    onLeft: (fieldErrors) => refuse(form, fields, language, { fieldErrors }),
    onRight: Effect.succeed
  })

const refuse = <A>(
  form: FormSchema.FormSchema<A>,
  fields: Fields,
  { texts }: Language,
  { error = texts(HttpTexts).form.invalid, fieldErrors = {}, status = 422 }: Problem
): Effect.Effect<never, InvalidForm> => {
  const say = (message: string) => translate(message, texts(FormTexts))
  return new InvalidForm({
    status,
    error: say(error),
    fieldErrors: Record.map(fieldErrors, say),
    values: FormSchema.keep(form, fields)
  })
}
