// Sign-up, for the page and for the API: creates an account with its profile and sends the verification e-mail.
import { type Context, Effect, Option, Record, type Redacted, Schema } from "effect"
import type { AccountId, Identity } from "../../../src/session/Identity.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { type Enrollment, normalizeEmail, Users } from "../../../src/auth/Users.ts"
import { AfterResponse } from "../../../src/http/AfterResponse.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as AccountEvents from "../internal/AccountEvents.ts"
import * as ChosenPassword from "../password/ChosenPassword.ts"
import * as AccountMail from "../internal/AccountMail.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"
import * as Form from "../../../src/auth/internal/Form.ts"
import type { Profiles, ProfileTaken } from "../../../src/auth/Profile.ts"
import type { Definition, Fields as ProfileFields } from "../../../src/auth/internal/profile/ProfileDefinition.ts"
import type { Row } from "../../../src/auth/internal/profile/ProfileRow.ts"
import * as StorableText from "../../../src/session/internal/StorableText.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import type { Fields } from "../../../src/http/internal/Fields.ts"
import { HttpTexts } from "../../../src/http/HttpTexts.ts"
import * as FormFields from "../../http/internal/FormFields.ts"
import * as Texts from "../../http/Texts.ts"
import * as AccountProfile from "./AccountProfile.ts"
import * as FormState from "../../session/FormState.ts"
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

/** Reads these fields of a sign-up, and those of the profile in a program that has profiles. */
const reading = <A extends object, I, Given extends object>(
  own: Schema.Schema<A, I>,
  accountOf: (form: A) => Given
) => {
  const plain = Effect.map(FormState.read(own), (form) => signUp(own, accountOf(form), {}))
  // Only the fields of the form's schema are read: a visitor who sends a role as well has no effect on it.
  const withProfile = Effect.fnUntraced(function* ({ definition, enrollment }: Context.Tag.Service<Profiles>) {
    yield* dropEmpty(definition)
    const form = Schema.extend(own, definition.form)
    const given = yield* readForm(form, definition)
    const account = accountOf(given)
    const chosen = Record.filter({ ...given }, (_, name) => !Object.hasOwn(account, name))
    const profile = yield* stored(form, yield* definition.initial(chosen))
    return signUp(form, account, enrollment(profile), profile)
  })
  return Effect.flatMap(AccountProfile.store, Option.match({ onNone: () => plain, onSome: withProfile }))
}

/** The sign-up of this request, valid and ready to be stored. */
const read = reading(Registration, ({ email, password }): Account => ({ email, password }))

/** The sign-up of this request for an account that signs in by other means. */
export const readWithoutPassword = reading(Schema.Struct({ email: Form.Email }), ({ email }) => ({ email }))

const readForm = <A, I>(form: Schema.Schema<A, I>, { fields }: Definition) =>
  Effect.catchTag(FormState.read(form), "InvalidForm", (invalid) =>
    Effect.flatMap(Texts.language, (language) => withOwnErrors(invalid, fields(language)))
  )

const stored = Effect.fnUntraced(function* <A, I>(form: Schema.Schema<A, I>, profile: Row) {
  const broken = unstorable(profile)
  if (broken.length === 0) return profile
  const { invalidField } = (yield* Texts.of(HttpTexts)).form
  const fieldErrors = Object.fromEntries(broken.map((name) => [name, invalidField]))
  return yield* FormState.invalid(form, { fieldErrors })
})

const signUp = <A, I, Given>(
  form: Schema.Schema<A, I>,
  account: Given,
  enrollment: Enrollment<ProfileTaken>,
  profile?: Row
) => ({
  ...account,
  enrollment,
  profile,
  /** Refuses the form: the e-mail has an account. */
  emailTaken: PageTexts.withTexts(({ validation: { emailTaken: error } }) =>
    FormState.invalid(form, { error, fieldErrors: { email: error } })
  ),
  /** Refuses the form: another account has these values. */
  profileTaken: ({ names: fields }: ProfileTaken) =>
    PageTexts.withTexts(({ validation: { taken: error } }) =>
      FormState.invalid(form, { error, fieldErrors: Object.fromEntries(fields.map((name) => [name, error])) })
    ),
  /** Refuses the form for this reason, and keeps all of its fields. */
  refuse: (problem: Parameters<typeof FormState.invalid>[1]) => FormState.invalid(form, problem)
})

/** A valid sign-up. */
type SignUp = ReturnType<typeof signUp<unknown, unknown, Account>>

// A browser sends an input that was left empty; an optional one is then absent.
const dropEmpty = Effect.fnUntraced(function* ({ signUp }: Definition) {
  const state = yield* RequestState
  const fields = yield* FormFields.read
  const isAbsent = (name: string) =>
    fields.get(name) === "" && signUp.some((column) => column.isOptional && column.name === name)
  const filled: Fields = {
    ...fields,
    get: (name) => (isAbsent(name) ? undefined : fields.get(name)),
    has: (name) => fields.has(name) && !isAbsent(name),
    names: fields.names.filter((name) => !isAbsent(name))
  }
  state.fields = filled
})

const withOwnErrors = (invalid: FormState.InvalidForm, fields: ProfileFields) =>
  new FormState.InvalidForm({
    ...invalid,
    fieldErrors: Record.map(invalid.fieldErrors, (message, name) => fields[name]?.error ?? message)
  })

// PostgreSQL refuses such a text, SQLite stores another one.
const unstorable = (row: Row): ReadonlyArray<string> =>
  Object.keys(row).filter((name) => !StorableText.isText(String(row[name] ?? "")))

const limited = RateLimit.middleware(AuthRateLimits.rules.register)

/** What a new account gives to the client: a session of its kind. */
type Grant<A, R> = (identity: Identity) => Effect.Effect<A, never, R>

const welcome = Effect.fnUntraced(function* (identity: Identity) {
  const afterResponse = yield* AfterResponse
  if (!identity.verified) yield* afterResponse.run(AccountMail.post("verification", identity))
  yield* AccountEvents.afterwards("signUp", identity)
})

/** A new account, by whatever means it signs in. */
interface NewAccount<E> {
  readonly email: string
  /** Absent for an account that signs in by other means. */
  readonly password?: Redacted.Redacted
  /** Whether somebody else vouches for the address: it is verified at once, and no link is sent. */
  readonly isProved?: boolean
  /** The profile that is stored with it. */
  readonly enrollment: Enrollment<E>
}

const store = Effect.fnUntraced(function* <E>({ email, enrollment, isProved = false, password }: NewAccount<E>) {
  const users = yield* Users
  const identityOf = (id: AccountId): Identity => ({ id, email: normalizeEmail(email), verified: isProved })
  const { within = () => Effect.void } = enrollment
  const confirmed = (id: AccountId) => Effect.zipRight(within(id), users.confirm(id))
  const given = isProved ? { ...enrollment, within: (id: AccountId) => Effect.asVoid(confirmed(id)) } : enrollment
  const whole = yield* AccountEvents.enrollment(given, identityOf)
  const id = yield* password === undefined
    ? users.enrollWithoutPassword(email, whole)
    : users.enroll(email, password, whole)
  return identityOf(id)
})

/**
 * Creates an account with its profile, runs the hooks of a sign-up, records the event and sends the verification link. What it
 * grants, such as a session, comes before the e-mail. Uninterruptible: when the client disconnects, the account still gets it.
 */
export const create = <A, R, E>(account: NewAccount<E>, grant: Grant<A, R>) =>
  store(account).pipe(
    Effect.tap(({ id }) => SecurityLog.record(id, { _tag: "SignedUp" })),
    Effect.flatMap((identity) =>
      Effect.map(Effect.zipLeft(grant(identity), welcome(identity)), (granted) => ({ identity, granted }))
    ),
    Effect.uninterruptible
  )

const createBy = <A, R>(
  { email, emailTaken, enrollment, password, profileTaken, refuse }: SignUp,
  grant: Grant<A, R>
) =>
  create({ email, password, enrollment }, grant).pipe(
    Effect.catchTag("Duplicate", () => emailTaken),
    Effect.catchTag("ProfileTaken", profileTaken),
    Effect.catchTag("HookFailed", AccountEvents.refusedForm),
    // A hook may know only some of the fields.
    Effect.catchTag("InvalidForm", ({ error, fieldErrors, status }) => refuse({ error, fieldErrors, status }))
  )

/** Signs up with the form in this request, limited by client. */
export const submit = <A, R>(grant: Grant<A, R>) =>
  limited(
    Effect.gen(function* () {
      const form = yield* read
      const { email, password, profile } = form
      const problem = yield* ChosenPassword.problem({ email, profile }, password)
      if (problem !== undefined) return yield* form.refuse({ fieldErrors: { password: problem } })
      return { ...(yield* createBy(form, grant)), profile: form.profile }
    })
  )
