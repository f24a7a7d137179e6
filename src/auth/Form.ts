// What the forms of authentication may hold, and what a person is told who filled one in wrongly.
import { Either, Redacted, Schema } from "effect"
import { address } from "../mail/MailMessage.ts"
import * as EmailName from "./Email.ts"
import * as StorableText from "./StorableText.ts"
import * as PasswordRules from "./PasswordRules.ts"

const emailFault = (email: string): string | undefined => {
  if (email === "") return "Enter your e-mail address."
  return StorableText.isText(email) && Either.isRight(address(email)) ? undefined : "This is not an e-mail address."
}

/** An e-mail that a letter can be sent to, in the spelling that accounts are known by. */
export const Email = Schema.transform(Schema.String, Schema.String, {
  strict: true,
  decode: EmailName.normalise,
  encode: (email) => email
}).pipe(Schema.filter((email) => emailFault(email) ?? true))

const givenFault = (password: string): string | undefined =>
  password === "" ? "Enter your password." : PasswordRules.unusable(password)

/** A password that someone claims to know. It may be older than today's rules. */
export const CurrentPassword = Schema.Redacted(Schema.String.pipe(Schema.filter((text) => givenFault(text) ?? true)))

/** A password that someone chooses. */
export const NewPassword = Schema.Redacted(
  Schema.String.pipe(Schema.filter((text) => PasswordRules.problem(text, "") ?? true))
)

/** The new password once more. A program that does not ask its user twice leaves it out. */
export const Confirmation = Schema.optional(Schema.Redacted(Schema.String))

interface Chosen {
  readonly password: Redacted.Redacted
  readonly password_confirmation?: Redacted.Redacted | undefined
}

/** Both passwords are one. */
export const passwordsMatch = ({ password, password_confirmation: again }: Chosen) =>
  again === undefined || Redacted.value(again) === Redacted.value(password)
    ? true
    : { path: ["password_confirmation"], message: "The two passwords differ." }

/** Why this account may not have this password. */
export const passwordProblem = (email: string, password: Redacted.Redacted): string | undefined =>
  PasswordRules.problem(Redacted.value(password), email)

/** The password is not simply the e-mail. */
export const passwordIsNotEmail = ({ email, password }: Chosen & { readonly email: string }) => {
  const message = passwordProblem(email, password)
  return message === undefined ? true : { path: ["password"], message }
}

/** Whether a box is ticked: the field is there or it is not, its value says nothing. */
export const Checkbox = Schema.optional(Schema.String)
