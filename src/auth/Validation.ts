// The messages of the forms' schemas in another language. A schema has one text for each problem, the English one; it is
// replaced where the form is refused.
import { english, type Texts } from "./AuthTexts.ts"
import { maxBytes, minCharacters } from "./PasswordRules.ts"

type Sentences = Readonly<Record<keyof Texts["validation"], string>>

const sentences = ({ passwordMore, passwordTooLong, passwordTooShort, ...rest }: Texts["validation"]): Sentences => ({
  ...rest,
  passwordMore: passwordMore("{}"),
  passwordTooLong: passwordTooLong(maxBytes),
  passwordTooShort: passwordTooShort(minCharacters)
})

const keys: ReadonlyMap<string, string> = new Map(
  Object.entries(sentences(english.validation)).map(([key, text]) => [text, key])
)

/** The message in these texts. A message that is not one of the framework's own stays as it is. */
export const translate = (message: string, { validation }: Texts): string => {
  const key = keys.get(message)
  const given: Readonly<Record<string, string>> = sentences(validation)
  return key === undefined ? message : (given[key] ?? message)
}
