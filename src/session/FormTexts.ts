// The sentences about invalid fields of forms. A schema has one text for each problem, the English one; it is replaced by the
// one of the reader's language where the form is refused.
import { Context } from "effect"
import type { Catalogue } from "../http/Languages.ts"

const texts = {
  emailMissing: "Enter your e-mail address.",
  emailInvalid: "This is not an e-mail address.",
  emailTaken: "This e-mail is already registered.",
  taken: "This is already taken. Choose another.",
  passwordMissing: "Enter your password.",
  passwordTooShort: (minCharacters: number) => `Use at least ${minCharacters} characters.`,
  passwordTooLong: (maxBytes: number) => `Use at most ${maxBytes} bytes.`,
  passwordNotText: "Use whole characters.",
  passwordIsEmail: "Use something other than your e-mail address.",
  passwordCommon: "This password is one of the most common. Choose another.",
  /** The password consists of words of the address, the profile or the site. */
  passwordGuessable: "Use more than your name, your address or the name of this site.",
  passwordBreached: "This password is in a list of stolen passwords. Choose another.",
  /** Told while a new password is typed; `characters` is how many are missing. */
  passwordMore: (characters: string) => `Characters still missing: ${characters}.`,
  passwordGood: "Long enough.",
  passwordsDiffer: "The two passwords differ.",
  passwordWrong: "Current password is incorrect.",
  passkeyNameMissing: "Give the passkey a name.",
  tokenNameMissing: "Give the token a name.",
  tokenNameTooLong: "Use a name of at most 100 characters.",
  tokenScopesMissing: "Choose what the token may do.",
  tokenLifetimeInvalid: "Choose one of the lifetimes.",
  factorCodeMissing: "Enter a code.",
  factorCodeWrong: "This is not the code that the app shows now. Is the clock of the device right?",
  factorNameMissing: "Give the app a name.",
  factorNameTooLong: "Use a name of at most 100 characters for the app."
}

/** What is wrong with a field, for each problem that the framework's own schemas know. */
export interface Texts extends Catalogue<typeof texts> {}

/** The default texts. */
export const english: Texts = texts

/**
 * The texts about invalid fields; English unless the program or the language of the request replaces them.
 *
 * @example
 * ```ts
 * import { Layer } from "effect"
 * import { FormTexts } from "effect-framework/session"
 *
 * // Among the services of the program; a language of `Languages.layer` has its own in the same way.
 * export const wording = Layer.succeed(FormTexts.FormTexts, {
 *   ...FormTexts.english,
 *   emailTaken: "You have an account with this address. Sign in instead.",
 *   passwordTooShort: (minCharacters) => `A password here has ${minCharacters} characters or more.`
 * })
 * ```
 */
export class FormTexts extends Context.Reference<FormTexts>()("effect-framework/session/FormTexts", {
  defaultValue: () => english
}) {}
