// The sign-up form of a request: e-mail and password, and the fields of the program's profile where it has one.
import { type Context, Effect, Option, Record, type Redacted, Schema } from "effect"
import * as Form from "../../../src/auth/internal/Form.ts"
import { type Profiles, type ProfileTaken } from "../../../src/auth/Profile.ts"
import type { Definition, Fields as ProfileFields } from "../../../src/auth/internal/profile/ProfileDefinition.ts"
import type { Row } from "../../../src/auth/internal/profile/ProfileRow.ts"
import * as StorableText from "../../../src/session/internal/StorableText.ts"
import type { Enrolment } from "../../../src/auth/Users.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import type { Fields } from "../../../src/http/internal/Fields.ts"
import { HttpTexts } from "../../../src/http/HttpTexts.ts"
import * as FormFields from "../../http/internal/FormFields.ts"
import * as Texts from "../../http/Texts.ts"
import * as AccountProfile from "./AccountProfile.ts"
import * as FormRequest from "../../session/FormRequest.ts"
import * as PageTexts from "../internal/PageTexts.ts"

const Registration = Schema.Struct({
  email: Form.Email,
  password: Form.NewPassword,
  password_confirmation: Form.Confirmation
}).pipe(Schema.filter(Form.passwordsMatch), Schema.filter(Form.passwordIsNotEmail))

interface Account {
  readonly email: string
  readonly password: Redacted.Redacted
}

const readPlain = Effect.map(FormRequest.read(Registration), ({ email, password }) =>
  signUp(Registration, { email, password }, {})
)

// Only the fields of the form's schema are read: a visitor who sends a role as well has no effect on it.
const readWithProfile = Effect.fnUntraced(function* ({ definition, enrolment }: Context.Tag.Service<Profiles>) {
  yield* dropEmpty(definition)
  const form = Schema.extend(Registration, definition.form)
  const { email, password, ...chosen } = yield* Effect.catchTag(FormRequest.read(form), "InvalidForm", (invalid) =>
    Effect.flatMap(Texts.language, (language) => withOwnErrors(invalid, definition.fields(language)))
  )
  const profile = yield* definition.initial(chosen)
  const broken = unstorable(profile)
  if (broken.length > 0) {
    const { invalidField } = (yield* Texts.of(HttpTexts)).form
    const fieldErrors = Object.fromEntries(broken.map((name) => [name, invalidField]))
    return yield* FormRequest.invalid(form, { fieldErrors })
  }
  return signUp(form, { email, password }, enrolment(profile), profile)
})

const signUp = <A, I>(
  form: Schema.Schema<A, I>,
  account: Account,
  enrolment: Enrolment<ProfileTaken>,
  profile?: Row
) => ({
  ...account,
  enrolment,
  profile,
  /** Refuses the form: the e-mail has an account. */
  emailTaken: PageTexts.withTexts(({ validation: { emailTaken: error } }) =>
    FormRequest.invalid(form, { error, fieldErrors: { email: error } })
  ),
  /** Refuses the form: another account has these values. */
  profileTaken: ({ fields }: ProfileTaken) =>
    PageTexts.withTexts(({ validation: { taken: error } }) =>
      FormRequest.invalid(form, { error, fieldErrors: Object.fromEntries(fields.map((name) => [name, error])) })
    ),
  /** Refuses the form for this reason, and keeps all of its fields. */
  refuse: (problem: Parameters<typeof FormRequest.invalid>[1]) => FormRequest.invalid(form, problem)
})

/** A valid sign-up. */
export type SignUp = ReturnType<typeof signUp>

/** The sign-up of this request, valid and ready to be stored. */
export const read = Effect.flatMap(
  AccountProfile.store,
  Option.match({ onNone: () => readPlain, onSome: readWithProfile })
)

// A browser sends an input that was left empty; an optional one is then absent.
const dropEmpty = Effect.fnUntraced(function* ({ signUp }: Definition) {
  const exchange = yield* RequestState
  const fields = yield* FormFields.read
  const isAbsent = (name: string) =>
    fields.get(name) === "" && signUp.some((column) => column.isOptional && column.name === name)
  const filled: Fields = {
    ...fields,
    get: (name) => (isAbsent(name) ? undefined : fields.get(name)),
    has: (name) => fields.has(name) && !isAbsent(name),
    names: fields.names.filter((name) => !isAbsent(name))
  }
  exchange.fields = filled
})

const withOwnErrors = (invalid: FormRequest.InvalidForm, fields: ProfileFields) =>
  new FormRequest.InvalidForm({
    ...invalid,
    fieldErrors: Record.map(invalid.fieldErrors, (message, name) => fields[name]?.error ?? message)
  })

// PostgreSQL refuses such a text, SQLite stores another one.
const unstorable = (row: Row): ReadonlyArray<string> =>
  Object.keys(row).filter((name) => !StorableText.isText(String(row[name] ?? "")))
