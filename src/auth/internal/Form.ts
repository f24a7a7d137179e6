// Schemas for the forms of authentication, with the messages for invalid input.
import { Either, Redacted, Schema } from "effect"
import { parseAddress } from "../../mail/MailMessage.ts"
import { english as validation } from "../../session/FormTexts.ts"
import * as Users from "../Users.ts"
import * as StorableText from "../../session/internal/StorableText.ts"
import * as PasswordRules from "./passwords/PasswordRules.ts"

const emailProblem = (email: string): string | undefined => {
  if (email === "") return validation.emailMissing
  return StorableText.isText(email) && Either.isRight(parseAddress(email)) ? undefined : validation.emailInvalid
}

/** An e-mail address that a message can be sent to, normalized as accounts are stored. */
export const Email = Schema.transform(Schema.String, Schema.String, {
  strict: true,
  decode: Users.normalizeEmail,
  encode: (email) => email
}).pipe(Schema.filter((email) => emailProblem(email) ?? true))

const currentProblem = (password: string): string | undefined =>
  password === "" ? validation.passwordMissing : PasswordRules.unusable(password)

/** An existing password. It may be older than the current rules. */
export const CurrentPassword = Schema.Redacted(
  Schema.String.pipe(Schema.filter((text) => currentProblem(text) ?? true))
)

/** A new password, which has to satisfy the current rules. */
export const NewPassword = Schema.Redacted(
  Schema.String.pipe(Schema.filter((text) => PasswordRules.problem(text, "") ?? true))
)

/** The repeated new password. A JSON client may leave it out. */
export const Confirmation = Schema.optional(Schema.Redacted(Schema.String))

interface Chosen {
  readonly password: Redacted.Redacted
  readonly password_confirmation?: Redacted.Redacted | undefined
}

/** Filter: both passwords are equal. */
export const passwordsMatch = ({ password, password_confirmation: again }: Chosen) =>
  again === undefined || Redacted.value(again) === Redacted.value(password)
    ? true
    : { path: ["password_confirmation"], message: validation.passwordsDiffer }

/** Why the account of this e-mail may not use this password; `undefined` when it may. */
const passwordProblem = (email: string, password: Redacted.Redacted): string | undefined =>
  PasswordRules.problem(Redacted.value(password), email)

/** Filter: the password is not the e-mail. */
export const passwordIsNotEmail = ({ email, password }: Chosen & { readonly email: string }) => {
  const message = passwordProblem(email, password)
  return message === undefined ? true : { path: ["password"], message }
}

/** A checkbox: present when it is ticked, whatever its value. */
export const Checkbox = Schema.optional(Schema.String)

/** The longest name that its owner gives to a passkey, an authenticator app or an API token. */
export const maxName = 100

/** Such a name, with the messages for a missing one and for one that is too long. */
export const Name = (missing: string, tooLong: string) => {
  const problem = (name: string): string | undefined => {
    if (name === "" || !StorableText.isText(name)) return missing
    return name.length > maxName ? tooLong : undefined
  }
  return Schema.Trim.pipe(Schema.filter((name) => problem(name) ?? true))
}
